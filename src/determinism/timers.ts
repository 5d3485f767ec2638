// The original timers. Test frameworks replace the global functions with fake ones, and some also replace those of
// node:timers; a wait of the sandbox would then last until the test moves its clock. So the originals are saved when
// this module loads.

import timers from 'node:timers'

export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers
