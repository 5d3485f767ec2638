// Replaces everything in a pulled bank that says whose it is. Dates stay, amounts too unless they are jittered.

import type { CodeRecord, ListedExecution } from '../bank/cards/card-records.js'
import type { AuthorisationSetup, Beneficiary, Transaction } from '../bank/records.js'
import { textRanges } from '../card-code/source-text.js'
import { Stream } from '../determinism/random.js'
import { isSecretName } from '../protocol/redaction.js'
import { notPulled } from './pull-bank.js'
import { Pseudonyms, keyOf, upperCase, type ValueKind } from './pseudonyms.js'
import type { PulledAccount, PulledBank, PulledCard } from './pulled-bank.js'
import { minSearchedLength, standsAt, TextReplacer, type KnownValue } from './text-replacer.js'

/** How much is replaced. */
export interface AnonymiseOptions {
  /** Merchants and other descriptions of rows stay as they are. */
  readonly keepNames?: boolean | undefined
  /** Amounts move by up to so many per cent; 0 when left out. */
  readonly jitterPercent?: number | undefined
}

/** An anonymised bank, and what a person should know of it. */
export interface Anonymised {
  readonly bank: PulledBank
  /** Different values replaced, by kind. */
  readonly counts: ReadonlyMap<ValueKind, number>
  /** What a person should look at before sharing, one sentence each. */
  readonly review: readonly string[]
}

/** Rows that the bank itself writes: they name nobody. */
const ownDescription =
  /^(?:(?:monthly )?(?:service|account) (?:charge|fee)s?|(?:debit|credit) interest|interest|interest value date \d{2}[a-z]{3}\d{2}|balance adjustment|cash withdrawal fee|notification fee|bank charges?)$/i

/** Replaces every identifier of a pulled bank, the same value always by the same replacement. */
export function anonymise(original: PulledBank, options: AnonymiseOptions = {}): Anonymised {
  const known = knownValues(original, options.keepNames === true)
  const originals = new Set(known.map(({ value }) => keyOf(value)))
  const pseudonyms = new Pseudonyms((text) => originals.has(keyOf(text)))
  const work = new Work(pseudonyms, new TextReplacer(searched(known, original), pseudonyms), options)
  const bank = work.bank(original)
  return { bank, counts: pseudonyms.counts, review: work.review }
}

/** Every value that must not survive, longest first where one is part of another. */
export function knownValues(bank: PulledBank, keepNames = false): KnownValue[] {
  const values: KnownValue[] = []
  const add = (kind: ValueKind, value: string | null | undefined): void => {
    if (typeof value === 'string' && value.trim() !== '') values.push({ kind, value })
  }
  for (const { profileId, profileName } of bank.profiles) {
    add('profile', profileId)
    add('person', profileName)
  }
  for (const { account, setup, rows, pending } of bank.accounts) {
    add('account id', account.accountId)
    add('account number', account.accountNumber)
    add('person', account.accountName)
    for (const list of [setup?.authorisersListA, setup?.authorisersListB])
      for (const { authoriserId, name } of list ?? []) {
        add('authoriser', authoriserId)
        add('person', name)
      }
    if (account.referenceName !== account.productName) add('merchant or description', account.referenceName)
    for (const { description, cardNumber } of [...rows, ...pending]) {
      if (!keepNames && !ownDescription.test(description.trim())) add('merchant or description', description)
      add('card number', cardNumber)
    }
  }
  for (const each of bank.beneficiaries) {
    add('beneficiary id', each.beneficiaryId)
    add('account number', each.accountNumber)
    add('account number', /\d{5,}/.test(each.referenceAccountNumber) ? each.referenceAccountNumber : null)
    add('person', each.beneficiaryName)
    add('person', each.name)
    add('person', each.referenceName)
    add('e-mail address', each.emailAddress)
    add('telephone number', each.cellNo)
  }
  for (const { CategoryId } of bank.categories) add('category', CategoryId)
  for (const { card, embossedName2, executions } of bank.cards) {
    add('card key', card.CardKey)
    add('card number', card.CardNumber)
    add('person', card.EmbossedName)
    add('person', embossedName2)
    for (const { executionId, rootCodeFunctionId } of executions) {
      add('execution', executionId)
      add('execution', rootCodeFunctionId)
    }
  }
  return unique(values)
}

function unique(values: readonly KnownValue[]): KnownValue[] {
  const seen = new Set<string>()
  return values.filter(({ value }) => {
    const key = keyOf(value)
    return !seen.has(key) && seen.add(key)
  })
}

/** One anonymisation under way. */
class Work {
  readonly review: string[] = []
  readonly #pseudonyms: Pseudonyms
  readonly #replacer: TextReplacer
  readonly #options: AnonymiseOptions

  constructor(pseudonyms: Pseudonyms, replacer: TextReplacer, options: AnonymiseOptions) {
    this.#pseudonyms = pseudonyms
    this.#replacer = replacer
    this.#options = options
  }

  bank(bank: PulledBank): PulledBank {
    const of = (kind: ValueKind) => (value: string) => this.#of(kind, value)
    return {
      ...bank,
      profiles: bank.profiles.map((each) => ({
        ...each,
        profileId: this.#of('profile', each.profileId),
        profileName: this.#of('person', each.profileName),
      })),
      categories: bank.categories.map((each) => ({
        ...each,
        profileId: this.#of('profile', each.profileId),
        CategoryId: this.#of('category', each.CategoryId),
        CategoryName: this.#replacer.replace(each.CategoryName),
      })),
      beneficiaries: bank.beneficiaries.map((each) => this.#beneficiary(each)),
      accounts: bank.accounts.map((each) => this.#account(each, of)),
      cards: bank.cards.map((each, index) => this.#card(each, index)),
    }
  }

  #of(kind: ValueKind, value: string): string {
    return value.trim() === '' ? value : this.#pseudonyms.of(kind, value)
  }

  #orNull<T extends string | null | undefined>(kind: ValueKind, value: T): string | T {
    return typeof value === 'string' ? this.#of(kind, value) : value
  }

  #account(
    { account, balance, setup, rows, pending }: PulledAccount,
    of: (kind: ValueKind) => (value: string) => string,
  ): PulledAccount {
    const accountId = this.#of('account id', account.accountId)
    const { referenceName, productName } = account
    return {
      account: {
        ...account,
        accountId,
        accountNumber: this.#of('account number', account.accountNumber),
        accountName: this.#of('person', account.accountName),
        referenceName:
          referenceName === productName ? referenceName : this.#of('merchant or description', referenceName),
        profileId: this.#of('profile', account.profileId),
        profileName: this.#of('person', account.profileName),
      },
      balance: balance && { ...balance, accountId },
      setup: setup && this.#setup(setup, of('person')),
      rows: this.#jittered(rows.map((row) => this.#row(row, accountId))),
      pending: pending.map((row) => this.#row(row, accountId)),
    }
  }

  #setup(setup: AuthorisationSetup, person: (name: string) => string): AuthorisationSetup {
    const list = (given: AuthorisationSetup['authorisersListA']) =>
      given?.map((each) => ({
        authoriserId: this.#of('authoriser', each.authoriserId),
        name: person(each.name),
      })) ?? null
    return {
      ...setup,
      authorisersListA: list(setup.authorisersListA),
      authorisersListB: list(setup.authorisersListB),
    }
  }

  #row(row: Transaction, accountId: string): Transaction {
    return {
      ...row,
      accountId,
      description: this.#description(row.description),
      cardNumber: this.#orNull('card number', row.cardNumber),
    }
  }

  #description(text: string): string {
    if (ownDescription.test(text.trim())) return text
    if (this.#options.keepNames) return this.#replacer.replace(text)
    // The columns of a pending purchase stay columns, and the country stays where it was.
    const name = this.#of('merchant or description', text)
    const country = /\s([A-Z]{2})$/.exec(text)?.[1]
    return country === undefined ? name : `${name} ${country}`
  }

  /** The rows with other amounts; running balances follow from them. */
  #jittered(rows: readonly Transaction[]): readonly Transaction[] {
    const percent = this.#options.jitterPercent ?? 0
    if (percent === 0) return rows
    let shift = 0
    return rows.map((row) => {
      const cents = Math.round(row.amount * 100)
      const chance = Stream.of(row.postedOrder, `jitter/${row.accountId}/${row.postingDate}`)
      const permille = chance.between(-percent * 10, percent * 10)
      const moved = Math.max(1, cents + Math.trunc((cents * permille) / 1000))
      shift += row.type === 'CREDIT' ? moved - cents : cents - moved
      return {
        ...row,
        amount: moved / 100,
        runningBalance: (Math.round(row.runningBalance * 100) + shift) / 100,
      }
    })
  }

  #beneficiary(each: Beneficiary): Beneficiary {
    const reference = each.referenceAccountNumber
    return {
      ...each,
      beneficiaryId: this.#of('beneficiary id', each.beneficiaryId),
      accountNumber: this.#of('account number', each.accountNumber),
      beneficiaryName: this.#orNull('person', each.beneficiaryName),
      name: this.#of('person', each.name),
      referenceName: this.#orNull('person', each.referenceName),
      referenceAccountNumber: /\d{5,}/.test(reference)
        ? this.#of('account number', reference)
        : this.#orNull('person', reference),
      emailAddress: this.#orNull('e-mail address', each.emailAddress),
      cellNo: this.#orNull('telephone number', each.cellNo),
      categoryId: this.#of('category', each.categoryId),
      profileId: this.#of('profile', each.profileId),
    }
  }

  #card(pulled: PulledCard, index: number): PulledCard {
    const { card } = pulled
    const where = `card ${index + 1}`
    const saved = pulled.saved && this.#code(pulled.saved, `${where}, saved code`)
    const published = pulled.published && this.#code(pulled.published, `${where}, published code`)
    for (const [name, value] of Object.entries(pulled.variables.variables))
      if (value !== notPulled)
        this.review.push(`The variable ${name} of ${where} keeps its value, with known values replaced.`)
    return {
      card: {
        ...card,
        CardKey: this.#of('card key', card.CardKey),
        CardNumber: this.#of('card number', card.CardNumber),
        AccountNumber: this.#of('account number', card.AccountNumber),
        AccountId: this.#of('account id', card.AccountId),
        EmbossedName: this.#of('person', card.EmbossedName),
      },
      embossedName2: this.#of('person', pulled.embossedName2),
      saved,
      published,
      variables: {
        ...pulled.variables,
        variables: Object.fromEntries(
          Object.entries(pulled.variables.variables).map(([name, value]) => [
            name,
            this.#variable(name, value),
          ]),
        ),
      },
      executions: pulled.executions.map((each) => this.#execution(each)),
    }
  }

  #variable(name: string, value: string): string {
    return value !== notPulled && (isSecretName(name) || looksSecret(value))
      ? this.#of('secret', value)
      : this.#replacer.replace(value)
  }

  #code(record: CodeRecord, where: string): CodeRecord {
    let code = ''
    let from = 0
    for (const { start, end } of textRanges(record.code)) {
      code += record.code.slice(from, start) + this.#literal(record.code.slice(start, end), where)
      from = end
    }
    code += record.code.slice(from)
    // A known value that is a name in the code: rather broken code than a leak.
    const whole = this.#replacer.replace(code)
    if (whole !== code && this.#replacer.replace(record.code) !== record.code)
      this.review.push(
        `In ${where} names or numbers outside of strings were replaced; see that it still runs.`,
      )
    return { ...record, code: whole }
  }

  #literal(text: string, where: string): string {
    const replaced = this.#replacer.replace(text)
    return replaced.replace(/[A-Za-z0-9_\-+/=.]{20,200}/g, (each) => {
      if (!looksSecret(each)) return each
      this.review.push(
        `A literal of ${each.length} characters in ${where} looked like a secret and was masked.`,
      )
      return this.#of('secret', each)
    })
  }

  #execution(each: ListedExecution): ListedExecution {
    return {
      ...each,
      executionId: this.#of('execution', each.executionId),
      rootCodeFunctionId: this.#of('execution', each.rootCodeFunctionId),
      logs: each.logs.map((log) => ({ ...log, content: this.#replacer.replace(log.content) })),
    }
  }
}

/** Whether a text looks like a key or a token: long, of one piece, letters and digits mixed, and no address or word. */
export function looksSecret(text: string): boolean {
  if (text.length < 20 || /[\s]/.test(text) || /^https?:/.test(text)) return false
  if (/^(?:sk|pk|xox[bap]|gh[ps]|eyJ|AKIA)[_A-Za-z0-9-]/.test(text)) return true
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length
  return (
    kinds >= 2 && /[0-9]/.test(text) && new Set(text).size >= 10 && !/^[a-z]+(?:[-_.][a-z]+)+$/i.test(text)
  )
}

/** The known values that are looked for in free text: not words that the bank itself writes, such as a product's name. */
function searched(
  known: readonly KnownValue[],
  { accounts, beneficiaries, categories }: PulledBank,
): KnownValue[] {
  const words = [
    ...accounts.flatMap(({ account, rows }) => [
      account.productName,
      ...rows.flatMap(({ transactionType }) => transactionType ?? []),
    ]),
    ...beneficiaries.map(({ bank }) => bank),
    ...categories.map(({ CategoryName }) => CategoryName),
  ]
  const vocabulary = upperCase([...new Set(words)].join('\n'))
  return known.filter(({ value }) => {
    const key = keyOf(value)
    return key.length >= minSearchedLength && !vocabulary.includes(key)
  })
}

/** Originals that a text still holds; for the last check before anything is written. */
export function survivors(text: string, bank: PulledBank, keepNames = false): KnownValue[] {
  const upper = upperCase(text)
  return searched(knownValues(bank, keepNames), bank).filter(({ value }) => stands(upper, keyOf(value)))
}

function stands(upper: string, value: string): boolean {
  for (let at = upper.indexOf(value); at >= 0; at = upper.indexOf(value, at + 1))
    if (standsAt(upper, value, at)) return true
  return false
}
