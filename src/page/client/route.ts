// Where the page is: `#/w/default/cards/700615/t/93459370`. A link shows something and never does anything.

import { computed, signal } from '@preact/signals'

const screens = [
  'accounts',
  'cards',
  'code',
  'requests',
  'payments',
  'faults',
  'settings',
  'workspaces',
] as const
export type Screen = (typeof screens)[number]

/** A place of the page. */
export interface Route {
  readonly workspace: string
  readonly screen: Screen
  /** What comes after the screen: a card, then `t` and a transaction. */
  readonly rest: readonly string[]
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function read(hash: string): Route {
  const [, mark, workspace, screen, ...rest] = hash.replace(/^#/, '').split('/').map(decode)
  const isKnown = mark === 'w' && screens.some((each) => each === screen)
  return {
    workspace: mark === 'w' && workspace ? workspace : 'default',
    screen: isKnown ? (screen as Screen) : 'cards',
    rest: isKnown ? rest.filter((part) => part !== '') : [],
  }
}

export const route = signal<Route>(read(location.hash))
export const workspace = computed(() => route.value.workspace)

/** The address of a place in this workspace, or in another. */
export const linkTo = (screen: Screen, rest: readonly string[] = [], at = route.value.workspace): string =>
  `#/${['w', at, screen, ...rest].map(encodeURIComponent).join('/')}`

/** Goes to a place; `replace` leaves no entry in the history. */
export function goTo(screen: Screen, rest: readonly string[] = [], replace = false, at?: string): void {
  const link = linkTo(screen, rest, at)
  if (replace) history.replaceState(null, '', link)
  else history.pushState(null, '', link)
  route.value = read(link)
}

export function startRoute(): void {
  const follow = (): void => {
    route.value = read(location.hash)
  }
  addEventListener('hashchange', follow)
  addEventListener('popstate', follow)
}
