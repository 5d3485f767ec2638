// Addresses, headers, requests and responses.
import type { FidelityProgram } from './program.js'

export const network: readonly FidelityProgram[] = [
  [
    'parameters that are undefined',
    `const hook = () => new URLSearchParams({ a: undefined, b: null, c: 1 }).toString()`,
  ],
  [
    'codes of errors',
    `const hook = () => [() => new Headers([['a']]), () => new Headers([1]), () => new Headers({ 'a b': '1' }), () => new Headers({ a: '\\n' }), () => new URLSearchParams([['a']]), () => new URL('x'), () => new URL('x', 'y')].map((work) => { try { work() } catch (e) { return [e.name, e.message, e.code, e.input] } })`,
  ],
  [
    'empty bodies',
    `const hook = async () => [new Request('http://a/', { method: 'POST', body: '' }).headers.get('content-type'), new Response('').headers.get('content-type'), await new Response('').text()]`,
  ],
  [
    'errors of a refused connection',
    `const hook = async () => { try { await fetch('http://127.0.0.1:1/') } catch (e) { return [e.name, e.type, e.code, e.errno, e.erroredSysCall, e[Symbol.toStringTag], Object.keys(e)] } }`,
  ],
  [
    'bad JSON in a response',
    `const hook = async () => { try { await new Response('<html>').json() } catch (e) { return [e.name, e.message, e.type] } }`,
  ],
  [
    'URL parts',
    `const hook = async (authorization) => { const u = new URL('https://user:pa%20ss@EXAMPLE.com:8443/a/../b/./c?q=1&q=2#frag'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.searchParams.getAll('q'), JSON.stringify({ u })] }`,
  ],
  [
    'URL resolves and changes',
    `const hook = async (authorization) => { const u = new URL('../x?y#z', 'http://a.b/c/d/e'); u.searchParams.append('k', 'v w'); u.pathname = '/new path'; u.port = '80'; u.hash = ''; u.protocol = 'https'; return [u.toString(), String(new URL('//h/p', 'ftp://x')), URL.canParse('nope'), u instanceof URL] }`,
  ],
  [
    'URLSearchParams',
    `const hook = async (authorization) => { const p = new URLSearchParams('?a=1&b=2&a=3&c=%20+x'); p.append('d', 'é&='); p.delete('b'); p.set('a', 'z'); p.sort(); return [p.toString(), [...p], p.has('c'), p.get('nope'), p.size, new URLSearchParams({ x: '1', y: 'two words' }).toString(), new URLSearchParams([['k', 'v']]).toString()] }`,
  ],
  [
    'Basic credentials as card code makes them',
    `const hook = async (authorization) => 'Basic ' + Buffer.from('id:secret').toString('base64') + btoa('id:secret') + atob('aWQ=')`,
  ],
  [
    'Headers',
    `const hook = async (authorization) => { const h = new Headers({ 'X-One': '1', accept: 'a' }); h.append('accept', 'b'); h.set('X-Two', 2); return [[...h], h.get('ACCEPT'), h.has('nope'), h.get('nope'), Object.fromEntries(h)] }`,
  ],
  [
    'Response',
    `const hook = async (authorization) => { const r = new Response('{"a":1}', { status: 201, statusText: 'Made', headers: { 'content-type': 'application/json' } }); const copy = r.clone(); return [r.ok, r.status, r.statusText, await r.json(), r.bodyUsed, await copy.text(), (await new Response('x').arrayBuffer()).byteLength, await r.text().catch((e) => e.message), new Response('x').headers.get('content-type')] }`,
  ],
  [
    'Request',
    `const hook = async (authorization) => { const q = new Request('http://a.b/c', { method: 'post', body: new URLSearchParams({ a: '1' }), headers: { 'x-y': 'z' } }); return [q.method, q.url, q.redirect, [...q.headers], await q.text()] }`,
  ],
  [
    'requests that cannot be',
    `const hook = async (authorization) => { const out = []; for (const make of [() => new Request('nope'), () => new Request('http://a/', { body: 'x' }), () => new Request('http://u:p@a/'), () => new Headers({ 'a b': '1' })]) { try { make(); out.push('none') } catch (e) { out.push(e.name, e.message) } } return out }`,
  ],
  [
    'data URLs and unknown schemes',
    `const hook = async (authorization) => [await (await fetch('data:text/plain;base64,aGk=')).text(), await fetch('ftp://a/b').catch((e) => [e.name, e.message])]`,
  ],
  [
    'a refused connection',
    `const hook = async (authorization) => fetch('http://127.0.0.1:1/').catch((e) => [e.name, e.message, e.type, e.code, e.errno])`,
  ],
  [
    'AbortController',
    `const hook = async (authorization) => { const c = new AbortController(); const seen = []; c.signal.addEventListener('abort', (e) => seen.push(e.type)); c.signal.onabort = () => seen.push('on'); c.abort(); const made = AbortSignal.abort('why'); let thrown; try { made.throwIfAborted() } catch (e) { thrown = e } return [c.signal.aborted, seen.sort(), c.signal.reason.name, c.signal.reason.message, made.reason, thrown, await fetch('http://127.0.0.1:1/', { signal: c.signal }).catch((e) => [e.name, e.type, e.message])] }`,
  ],
]
