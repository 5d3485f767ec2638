// A client with cards, for tests: saves and publishes code, uses cards, and closes its sandbox after the test.

import { afterEach } from '@jest/globals'
import type { SandboxOptions } from '../src/sandbox/sandbox.js'
import { card, everyday } from './ids.js'
import { Client, sandboxAt, testMs, type Answer } from './client.js'

export { businessCard, card, otherCard, plainCard } from './ids.js'

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

  async simulate(code: string, fields: object = {}, cardKey = card): Promise<Answer> {
    return this.post(`/${cardKey}/code/execute`, { simulationcode: code, ...fields })
  }
}
