// A client with cards, for tests: saves and publishes code, uses cards, and closes its sandbox after the test.

import { afterEach } from '@jest/globals'
import type { SandboxOptions } from '../src/sandbox/sandbox.js'
import { card, everyday } from './ids.js'
import { Client, sandboxAt, testMs, type Answer } from './client.js'

export { businessCard, card, otherCard, plainCard } from './ids.js'

/** The form of all ids that the service makes of card code. */
export const uuid = /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/

/** Code that approves each purchase; all its hooks log what they receive. */
export const approving = `const beforeTransaction = async (a) => { console.log(a); return true }
const afterTransaction = async (t) => console.log('after', t.reference)
const afterDecline = async (t) => console.log('declined', t.reference)
const afterReversal = async (t) => console.log('reversed', t.centsAmount)
const afterAdjustment = async (t) => console.log('adjusted', t.centsAmount)
`

/** The same code, but it declines. */
export const declining = approving.replace('return true', 'return false')

export const bakery = { name: 'Corner Bakery', city: 'Durban', countryCode: 'ZA', categoryCode: '5462' }

const open: CardHolder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ client }) => client.sandbox.close()))
})

export class CardHolder {
  private constructor(readonly client: Client) {}

  static async of(options?: SandboxOptions): Promise<CardHolder> {
    return CardHolder.with(await Client.of(sandboxAt(testMs, options)))
  }

  static with(client: Client): CardHolder {
    const holder = new CardHolder(client)
    open.push(holder)
    return holder
  }

  get(path: string): Promise<Answer> {
    return this.client.get(`/za/v1/cards${path}`)
  }

  post(path: string, body: object): Promise<Answer> {
    return this.client.post(`/za/v1/cards${path}`, body)
  }

  /** Saves code and publishes it; returns its codeId. */
  async publish(code: string, cardKey = card): Promise<string> {
    const saved = await this.post(`/${cardKey}/code`, { code })
    const { codeId } = saved.json.data.result as { codeId: string }
    const published = await this.post(`/${cardKey}/publish`, { codeid: codeId, code: ' ' })
    if (published.status !== 200) throw new Error(published.body)
    return codeId
  }

  /** Uses the card. */
  async buy(body: object, cardKey = card): Promise<Answer> {
    return this.client.control('POST', `cards/${cardKey}/transactions`, body)
  }

  async available(accountId: string = everyday): Promise<number> {
    const { json } = await this.client.get(`/za/pb/v1/accounts/${accountId}/balance`)
    return json.data.availableBalance as number
  }

  /** The pending rows of the everyday account. */
  async pending(): Promise<{ description: string; amount: number; type: string }[]> {
    const { json } = await this.client.get(`/za/pb/v1/accounts/${everyday}/pending-transactions`)
    return json.data.transactions as { description: string; amount: number; type: string }[]
  }

  async simulate(code: string, fields: object = {}, cardKey = card): Promise<Answer> {
    return this.post(`/${cardKey}/code/execute`, { simulationcode: code, ...fields })
  }
}
