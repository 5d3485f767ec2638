// JSON pointers, RFC 6901, as the paths of errors and warnings.

/** Longer names in a pointer are cut, so that a hostile name cannot fill an answer. */
const maxName = 200

/** The pointer to a member of the value at `parent`. */
export const pointerTo = (parent: string, name: string | number): string =>
  `${parent}/${String(name).slice(0, maxName).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A pointer whose long names are cut. */
export const cutPointer = (pointer: string): string =>
  pointer.length <= maxName
    ? pointer
    : pointer
        .split('/')
        // A cut may fall into an escaped character, `~0` or `~1`.
        .map((name) => (name.length <= maxName ? name : name.slice(0, maxName).replace(/~$/, '')))
        .join('/')

/** The names in a pointer. */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
