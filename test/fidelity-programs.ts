// The programs of the fidelity suite.
import { caught } from './fidelity/caught.js'
import { consolePrograms } from './fidelity/console.js'
import { errors } from './fidelity/errors.js'
import { language } from './fidelity/language.js'
import { network } from './fidelity/network.js'
import { platform } from './fidelity/platform.js'
import { textAndDates } from './fidelity/text-and-dates.js'

export const programs = [
  ...language,
  ...textAndDates,
  ...consolePrograms,
  ...caught,
  ...errors,
  ...network,
  ...platform,
]
