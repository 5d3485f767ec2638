// Foreign texts on a terminal: names, paths and scenarios may contain control characters.

/** The text with control characters and bidirectional overrides as escapes such as `\\u001b`; line breaks stay. */
export const printable = (text: string): string =>
  text.replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
