// Jest resolver: an import of `src/x.js` from a test means the compiled `dist/x.js`, so that what is tested is what
// is published, worker threads included. Files below test/ are TypeScript: `./support.js` there means `support.ts`.
const path = require('node:path')
const fs = require('node:fs')

const root = path.resolve(__dirname, '..')
const src = path.join(root, 'src') + path.sep

module.exports = (request, options) => {
  if (request.startsWith('.') && request.endsWith('.js')) {
    const target = path.resolve(options.basedir, request)
    if (target.startsWith(src) && !target.endsWith('.test.js')) {
      return path.join(root, 'dist', target.slice(src.length))
    }
    const typescript = target.replace(/\.js$/, '.ts')
    if (!fs.existsSync(target) && fs.existsSync(typescript)) return typescript
  }
  return options.defaultResolver(request, options)
}
