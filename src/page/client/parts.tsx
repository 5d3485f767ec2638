// Small parts that several screens share.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { copy } from './acts.js'

/** A button that copies a text, which is computed on click. */
export function CopyButton({ name, text, what }: { name: string; text: () => string; what: string }) {
  return (
    <button type="button" onClick={() => void copy(text(), what)}>
      {name}
    </button>
  )
}

/** Shown instead of an empty list: the reason, what to do next, and the same as a command. */
export function Empty({
  title,
  children,
  curl,
}: {
  title: string
  children?: ComponentChildren
  curl?: string | undefined
}) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
      {curl !== undefined && (
        <>
          <pre tabIndex={0} aria-label="Command">
            {curl}
          </pre>
          <CopyButton name="Copy as curl" what="the command" text={() => curl} />
        </>
      )}
    </div>
  )
}

/** Why something could not be read; shown instead of an empty list. */
export function LoadError({ error, retry }: { error: string; retry: () => void }) {
  if (error === '') return null
  return (
    <p class="failure" role="alert">
      {error}{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  )
}

interface InputProps {
  readonly label: string
  readonly value: string
  readonly onInput: (event: Event & { readonly currentTarget: HTMLInputElement }) => void
  readonly class?: string
  readonly type?: 'search' | 'password'
  readonly title?: string | undefined
  readonly list?: string
  readonly maxlength?: number
  readonly inputmode?: 'decimal'
  readonly 'aria-invalid'?: boolean
  /** Takes the focus when it appears. */
  readonly autofocus?: boolean
}

/** A field with its label above it. */
export function Field({ label, class: name = '', autofocus = false, ...input }: InputProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autofocus) field.current!.select()
  }, [])
  // Preact's types restrict which attributes may be combined for a role; these may all be combined.
  const attributes: object = input
  return (
    <label class={`field ${name}`}>
      <span>{label}</span>
      <input ref={field} autocomplete="off" spellcheck={false} {...attributes} />
    </label>
  )
}

/** The search field above a list. */
export const FilterField = ({ text, setText }: { text: string; setText: (text: string) => void }) => (
  <Field label="Filter" type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
)

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

export function Select({ label, value, options, onChoose }: SelectProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface DialogProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over everything; Esc closes it, and the focus returns to its former place. */
export function Dialog({ label, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const dialog = ref.current!
    dialog.showModal()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="dialog">
        <h2>{label}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** An approval or a decline, shown with a sign and a word, not only with a colour. */
export function DecisionSign({ decision }: { decision: 'approved' | 'declined' }) {
  return decision === 'approved' ? (
    <span class="verdict good">
      Approved <span aria-hidden="true">✓</span>
    </span>
  ) : (
    <span class="verdict bad">
      Declined <span aria-hidden="true">✕</span>
    </span>
  )
}
