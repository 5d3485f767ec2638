// Replaces everything in a pulled bank that identifies its owner. Dates stay, and so do amounts unless they are
// jittered.

import type { Card, CodeRecord, ListedExecution } from '../bank/cards/card-records.js'
import { fromRand, toRand } from '../bank/money.js'
import type { AuthorisationSetup, Beneficiary, Transaction } from '../bank/records.js'
import { textRanges } from '../card-code/source-text.js'
import { Stream } from '../determinism/random.js'
import { isSecretName } from '../protocol/redaction.js'
import { notPulled } from './pull-bank.js'
import { looksSecret } from './secret-literals.js'
import { Pseudonyms, isTelling, keyOf, upperCase, type ValueKind } from './pseudonyms.js'
import type { PulledAccount, PulledBank, PulledCard } from './pulled-bank.js'
import { minSearchedLength, TextReplacer, type KnownValue } from './text-replacer.js'

/** What is replaced. */
export interface AnonymiseOptions {
  /** Keeps merchants and other descriptions of rows. */
  readonly keepNames?: boolean | undefined
  /** Moves amounts by up to this many per cent; default 0. */
  readonly jitterPercent?: number | undefined
}

/** An anonymised bank, with its warnings for the user. */
export interface Anonymised {
  readonly bank: PulledBank
  /** Different values replaced, by kind. */
  readonly counts: ReadonlyMap<ValueKind, number>
  /** What the user should look at before sharing, one sentence each. */
  readonly review: readonly string[]
}

/** Rows that the bank itself writes contain no names. */
const ownDescription =
  /^(?:(?:monthly )?(?:service|account) (?:charge|fee)s?|(?:debit|credit) interest|interest|interest value date \d{2}[a-z]{3}\d{2}|balance adjustment|cash withdrawal fee|notification fee|bank charges?)$/i

/** A description as a name, and the country behind it; the columns of a pending purchase are one name. */
function placeOf(description: string): { readonly name: string; readonly country: string } {
  const [, name = description, country = ''] = /^(.*\S)(\s+[A-Z]{2})$/s.exec(description) ?? []
  return { name, country }
}

/** A virtual card shows its purpose instead of a name. */
const isLabel = ({ IsVirtualCard, EmbossedName }: Card): boolean =>
  IsVirtualCard && /^(?:online shopping|virtual)(?: card)?$/i.test(EmbossedName.trim())

/** Replaces every identifier of a pulled bank, the same value always by the same replacement. */
export function anonymise(original: PulledBank, options: AnonymiseOptions = {}): Anonymised {
  const known = knownValues(original, options.keepNames === true)
  const originals = new Set(known.map(({ value }) => keyOf(value)))
  const isOriginal = (text: string): boolean =>
    originals.has(keyOf(text)) || replacer.knownIn(text).length > 0
  const pseudonyms = new Pseudonyms(isOriginal)
  const replacer = new TextReplacer(searched(known, original), pseudonyms)
  const work = new Work(pseudonyms, replacer, options)
  const bank = work.bank(original)
  return { bank, counts: pseudonyms.counts, review: work.review }
}

/** Every value that must not survive; a longer value comes before its parts. */
function knownValues(bank: PulledBank, keepNames = false): KnownValue[] {
  const values: KnownValue[] = []
  const add = (kind: ValueKind, value: string | null | undefined): void => {
    if (typeof value === 'string' && isTelling(value)) values.push({ kind, value })
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
      if (!keepNames && !ownDescription.test(description.trim()))
        add('merchant or description', placeOf(description).name)
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
    if (!isLabel(card)) add('person', card.EmbossedName)
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

/** The state of one anonymisation. */
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
    return isTelling(value) ? this.#pseudonyms.of(kind, value) : value
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
    const { name, country } = placeOf(text)
    return this.#of('merchant or description', name) + country
  }

  /** The rows with changed amounts; running balances are computed from them. */
  #jittered(rows: readonly Transaction[]): readonly Transaction[] {
    const percent = this.#options.jitterPercent ?? 0
    if (percent === 0) return rows
    let shift = 0
    return rows.map((row) => {
      const cents = fromRand(row.amount)
      const chance = Stream.of(row.postedOrder, `jitter/${row.accountId}/${row.postingDate}`)
      const permille = chance.between(-percent * 10, percent * 10)
      const moved = Math.max(1, cents + Math.trunc((cents * permille) / 1000))
      shift += row.type === 'CREDIT' ? moved - cents : cents - moved
      return {
        ...row,
        amount: toRand(moved),
        runningBalance: toRand(fromRand(row.runningBalance) + shift),
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
    return {
      card: {
        ...card,
        CardKey: this.#of('card key', card.CardKey),
        CardNumber: this.#of('card number', card.CardNumber),
        AccountNumber: this.#of('account number', card.AccountNumber),
        AccountId: this.#of('account id', card.AccountId),
        EmbossedName: isLabel(card) ? card.EmbossedName : this.#of('person', card.EmbossedName),
      },
      embossedName2: this.#of('person', pulled.embossedName2),
      saved,
      published,
      variables: {
        ...pulled.variables,
        variables: Object.fromEntries(
          Object.entries(pulled.variables.variables).map(([name, value]) => [
            name,
            this.#variable(name, value, where),
          ]),
        ),
      },
      executions: pulled.executions.map((each) => this.#execution(each, `${where}, logs`)),
    }
  }

  #variable(name: string, value: string, where: string): string {
    if (value === notPulled) return value
    if (isSecretName(name) || looksSecret(value)) {
      this.review.push(`The variable ${name} of ${where} looked like a secret and was masked.`)
      return this.#of('secret', value)
    }
    this.review.push(`The variable ${name} of ${where} keeps its value, with known values replaced.`)
    return this.#replacer.replace(value)
  }

  #code(record: CodeRecord, where: string): CodeRecord {
    let code = ''
    let from = 0
    let others = 0
    const between = (to: number): string => {
      const source = record.code.slice(from, to)
      const replaced = this.#replacer.replaceInCode(source)
      if (replaced !== source) others++
      return replaced
    }
    for (const { start, end } of textRanges(record.code)) {
      code += between(start) + this.#text(record.code.slice(start, end), where)
      from = end
    }
    code += between(record.code.length)
    if (others > 0)
      this.review.push(
        `In ${where} names or numbers outside of strings were replaced; see that it still runs.`,
      )
    return { ...record, code }
  }

  #text(text: string, where: string): string {
    return this.#replacer.replace(text, ({ length }) =>
      this.review.push(`A literal of ${length} characters in ${where} looked like a secret and was masked.`),
    )
  }

  #execution(each: ListedExecution, where: string): ListedExecution {
    return {
      ...each,
      executionId: this.#of('execution', each.executionId),
      rootCodeFunctionId: this.#of('execution', each.rootCodeFunctionId),
      logs: each.logs.map((log) => ({ ...log, content: this.#text(log.content, where) })),
    }
  }
}

/**
 * The known values that are searched in free text, without words that the bank itself writes, such as a product's name.
 */
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

/** Original values that the output still contains, in any of its texts; for the last check. */
export function survivors(written: object, bank: PulledBank, keepNames = false): KnownValue[] {
  const known = searched(knownValues(bank, keepNames), bank)
  const finder = new TextReplacer(known, new Pseudonyms(() => false))
  const texts = new Set<string>()
  const scripts = new Set<string>()
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string') (name === 'code' ? scripts : texts).add(value)
    else if (typeof value === 'object' && value !== null)
      for (const [member, each] of Object.entries(value)) {
        if (!Array.isArray(value)) texts.add(member)
        visit(each, member)
      }
  }
  visit(written, '')
  const found = Array.from(texts).flatMap((text) => finder.knownIn(text))
  for (const script of scripts) found.push(...outsideAndInside(script, finder))
  return unique(found)
}

function outsideAndInside(script: string, finder: TextReplacer): KnownValue[] {
  const ranges = textRanges(script)
  const starts = [0, ...ranges.map(({ end }) => end)]
  return [
    ...ranges.flatMap(({ start, end }) => finder.knownIn(script.slice(start, end))),
    ...starts.flatMap((from, index) => finder.knownInCode(script.slice(from, ranges[index]?.start))),
  ]
}
