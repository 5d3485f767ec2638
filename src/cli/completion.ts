// Completion for shells: a script that knows the commands, their flags, and the values of flags.

import { optionsAt, type OptionRow, type Place } from '../node-api/options.js'

/** The shells with a script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** What can be completed: words by the word before them. */
export interface Vocabulary {
  readonly commands: readonly (readonly [name: string, text: string])[]
  /** The words after each command: its flags, and its own words. */
  readonly words: Readonly<Record<string, readonly string[]>>
  /** The values of a flag. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** The flags of a command, with two dashes. */
export const flagsOf = (place: Place): string[] =>
  optionsAt(place).flatMap(([, { flag }]) => (flag === undefined ? [] : [`--${flag}`]))

/** The values of flags at these places, if there are only a few. */
export function flagValues(places: readonly Place[]): Record<string, readonly string[]> {
  const all = places.flatMap((place) => optionsAt(place))
  return Object.fromEntries(
    all.flatMap(([, { flag, kind }]: [string, OptionRow]) =>
      flag === undefined || kind.names === undefined ? [] : [[`--${flag}`, kind.names]],
    ),
  )
}

/** The script that a shell reads to complete `sandbox-server`. */
export const completionScript = (shell: Shell, vocabulary: Vocabulary): string => scripts[shell](vocabulary)

const joined = (words: readonly string[] = []): string => words.join(' ')

const scripts: Readonly<Record<Shell, (of: Vocabulary) => string>> = {
  bash: (of) =>
    [
      '# eval "$(sandbox-server completion bash)"',
      '_sandbox_server() {',
      '  local words command=start current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
      '  [[ ${COMP_WORDS[1]} != -* && COMP_CWORD -gt 1 ]] && command="${COMP_WORDS[1]}"',
      ...posixCases(of, '"$before"', '"$command"'),
      `  [[ COMP_CWORD -eq 1 ]] && words="$words ${joined(of.commands.map(([name]) => name))}"`,
      '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
      '}',
      'complete -o default -F _sandbox_server sandbox-server',
    ].join('\n'),
  zsh: (of) =>
    [
      '#compdef sandbox-server',
      '# source <(sandbox-server completion zsh)',
      '_sandbox_server() {',
      '  local words_of="" first="${words[2]}" command=start before="${words[CURRENT-1]}"',
      '  [[ $first != -* && CURRENT -gt 2 ]] && command="$first"',
      ...posixCases(of, '"$before"', '"$command"').map((line) => line.replace('words=', 'words_of=')),
      `  (( CURRENT == 2 )) && words_of="$words_of ${joined(of.commands.map(([name]) => name))}"`,
      '  compadd -- ${=words_of} || _files',
      '}',
      'compdef _sandbox_server sandbox-server',
    ].join('\n'),
  fish: (of) =>
    [
      '# sandbox-server completion fish | source',
      ...of.commands.map(
        ([name, text]) =>
          `complete -c sandbox-server -n __fish_use_subcommand -a ${name} -d '${text.replaceAll("'", "\\'")}'`,
      ),
      ...Object.entries(of.words).flatMap(([command, words]) =>
        words.map((word) => {
          const when =
            command === 'start'
              ? '__fish_use_subcommand; or __fish_seen_subcommand_from start'
              : `__fish_seen_subcommand_from ${command}`
          if (!word.startsWith('--')) return `complete -c sandbox-server -n '${when}' -a ${word}`
          const values = of.values[word]
          return `complete -c sandbox-server -n '${when}' -l ${word.slice(2)}${values ? ` -xa '${joined(values)}'` : ''}`
        }),
      ),
    ].join('\n'),
  powershell: (of) =>
    [
      '# sandbox-server completion powershell | Out-String | Invoke-Expression',
      'Register-ArgumentCompleter -Native -CommandName sandbox-server -ScriptBlock {',
      '  param($word, $line, $position)',
      '  $given = @($line.CommandElements | ForEach-Object { $_.ToString() })',
      "  if ($word -ne '') { $given = @($given | Select-Object -SkipLast 1) }",
      "  $command = if ($given.Count -gt 1 -and $given[1] -notlike '-*') { $given[1] } else { 'start' }",
      `  $words = @{ ${table(of.words)} }[$command]`,
      `  $values = @{ ${table(of.values)} }[$given[-1]]`,
      `  if ($given.Count -eq 1) { $words = @($words) + ${list(of.commands.map(([name]) => name))} }`,
      '  if ($values) { $words = $values }',
      '  $words | Where-Object { $_ -like "$word*" } | ForEach-Object {',
      "    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)",
      '  }',
      '}',
    ].join('\n'),
}

/** Sets `words` to those of the flag before, or otherwise to those of the command. */
const posixCases = ({ words, values }: Vocabulary, before: string, command: string): string[] => [
  `  case ${command} in`,
  ...Object.entries(words).map(([name, list]) => `    ${name}) words="${joined(list)}" ;;`),
  '  esac',
  `  case ${before} in`,
  ...Object.entries(values).map(([flag, list]) => `    ${flag}) words="${joined(list)}" ;;`),
  '  esac',
]

const list = (words: readonly string[]): string => `@(${words.map((word) => `'${word}'`).join(', ')})`

const table = (of: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(of)
    .map(([name, words]) => `'${name}' = ${list(words)}`)
    .join('; ')
