// The page: only the address decides what is shown.

import { render } from 'preact'
import { startTokens } from './api.js'
import { startKeys } from './keys.js'
import { Layout } from './layout.js'
import { startLive } from './live.js'
import { startRoute } from './route.js'

startTokens()
startRoute()
startLive()
startKeys()
render(<Layout />, document.getElementById('app')!)
