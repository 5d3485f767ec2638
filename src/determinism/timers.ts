// Timers that nobody has replaced. Test frameworks put fake ones in place of the global functions, and some also into
// node:timers; a wait of the sandbox would then last until the test moves its clock. So they are kept from the start.

import timers from 'node:timers'

export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers
