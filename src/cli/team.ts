// `start --store`: one replica of a team's bank. Loaded with that flag alone.

import type { CertificatePair } from '../http/certificate.js'
import { exposureWarning, isExposed } from '../node-api/exposure.js'
import { shownAddress } from '../protocol/redaction.js'
import { wallMs } from '../determinism/clock.js'
import type { Answered } from '../team/gate.js'
import { Replica } from '../team/replica.js'
import { quotasOf } from '../team/quotas.js'
import { banner, readyLine } from './banner.js'
import type { CommandOptions } from './options.js'
import { printable } from './printable.js'
import type { Signals } from './signals.js'

/** How the command writes. */
interface Output {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly fail: (error: unknown) => void
}

/** Starts a replica, which drains and leaves at a signal. */
export async function startTeam(
  options: CommandOptions,
  pair: CertificatePair | undefined,
  signals: Signals,
  { print, complain, fail }: Output,
): Promise<void> {
  const { host, port, json, quiet, areCredentialsGiven, team } = options
  const { quotas, ...flags } = team!
  const replica = await Replica.start({
    ...flags,
    quotas: quotasOf(quotas),
    host,
    port,
    pair,
    areCredentialsGiven,
    http: options,
    sandbox: options,
    onNotice: (text) => complain(`--store: ${text}.`),
    ...(!quiet && { onAnswer: (answered, address) => print(lineOf(answered, address, json)) }),
  })
  let isStopping = false
  signals.whenAsked(() => {
    // A second signal ends the wait.
    if (isStopping) process.exit(1)
    isStopping = true
    replica.close().then(() => {
      print(
        json
          ? JSON.stringify({ event: 'stopped' })
          : 'sandbox-server: stopped. The store keeps the workspaces.',
      )
      process.exit(0)
    }, fail)
  })
  if (isExposed(host)) complain(exposureWarning(host))
  const { main } = replica.sandbox
  const hasPage = options.page !== false && options.control !== false
  print(json ? readyLine(main, replica.url) : banner(main, replica.url, hasPage ? 'address' : 'none'))
}

/** The line of one call; the request id is the same in the lines of all replicas. */
function lineOf({ path, ms, isHanded, ...rest }: Answered, replica: string, isJson: boolean): string {
  const at = new Date(wallMs()).toISOString()
  const shown = shownAddress(path)
  const took = Math.round(ms * 10) / 10
  if (isJson)
    return JSON.stringify({ event: 'request', at, ...rest, path: shown, ms: took, replica, handed: isHanded })
  const { requestId, workspace, method, status } = rest
  return printable(
    `${at.slice(11, 23)} ${method.padEnd(6)} ${shown} ${status} ${took} ms  ${workspace} ${requestId}${isHanded ? ' handed over' : ''}`,
  )
}
