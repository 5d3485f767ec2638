// Flags that have no effect because of another one: the user should know.

import { optionTable, type OptionName, type OptionRow } from '../node-api/options.js'
import type { CommandLine, CommandOptions } from './options.js'

/** Options that a continued bank already has. */
const ofTheBeginning: readonly OptionName[] = ['seed', 'now', 'scenario', 'strict', 'behaviour']

const ofTeams: readonly OptionName[] = ['advertise', 'clusterSecret', 'workspaceTtl', 'storeJournal', 'quota']

/**
 * One sentence for each group of flags that change nothing.
 *
 * @param isContinued whether the state file had a bank to continue
 */
export function ignoredFlags(
  { command, flags }: CommandLine,
  { state, team }: Pick<CommandOptions, 'state' | 'team'>,
  isContinued = false,
): string[] {
  const given = (name: OptionName): string[] => {
    const { flag } = optionTable[name] as OptionRow
    return flag !== undefined && flags[flag] !== undefined ? [`--${flag}`] : []
  }
  const ignored = (names: readonly OptionName[], because: string): string[] => {
    const which = names.flatMap(given)
    if (which.length === 0) return []
    return [`${which.join(' and ')} ${which.length === 1 ? 'is' : 'are'} ignored: ${because}`]
  }
  return [
    ...(isContinued
      ? ignored(
          ofTheBeginning,
          `${state!} holds a bank that has begun. Another file, or none, begins a new one.`,
        )
      : []),
    ...(state === undefined ? ignored(['stateSync'], 'no --state says which file to write.') : []),
    ...(team === undefined ? ignored(ofTeams, 'no --store says where the workspaces are kept.') : []),
    ...(given('tlsCert').length > 0
      ? ignored(['tls'], '--tls-cert and --tls-key name the certificate to serve with.')
      : []),
    ...(given('control').length > 0 ? ignored(['page'], '--no-control turns the page off, too.') : []),
    ...(command === 'exec'
      ? ignored(['quiet', 'json'], 'exec prints nothing of its own.')
      : given('quiet').length > 0
        ? ignored(['verbose'], '--quiet prints no lines.')
        : []),
  ]
}
