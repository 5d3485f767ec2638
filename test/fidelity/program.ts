/** A title, and a script whose `hook` is called with the payload. */
export type FidelityProgram = readonly [title: string, source: string]
