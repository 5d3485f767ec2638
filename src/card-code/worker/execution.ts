// One run in a worker, from main.js to the last pending timer. The hook's own promise decides the result, which is
// reported at once. What the hook left running continues until nothing is left or the window closes.
import { EventQueue, type Item } from './event-queue.js'
import { cut, fieldsOf, indented, isCount, maxLogLength } from './guest-values.js'
import { syntaxFault } from '../syntax-fault.js'
import type { Entry, Machine } from './machine.js'
import {
  type ArrivalMessage,
  type End,
  type Ending,
  type HookFailure,
  type FetchMessage,
  type FromWorker,
  type Level,
  type RunMessage,
  failure,
  outOfMemory,
  timeout,
} from '../messages.js'
import { answerOperation, bytesOfText } from './operations.js'
import { print } from './print.js'
import { type Program, isIdentifier, readProgram } from './program.js'
import { RunWindow } from './run-window.js'

// Logs are bounded; one more item says so.
const maxLogs = 1_000
// Requests are bounded too: a hook needs only a few.
const maxRequests = 100
// The total size of the bodies of open requests, in bytes: the main thread has them in memory.
const maxBodyBytes = 16 * 1024 * 1024
// The main thread reads the headers; no server accepts as many.
const maxHeaders = 500
const maxAddressLength = 65_536
// How much of an error is stored, in characters: its name, its message and its stack.
const maxName = 200
const maxMessage = 10_000
const maxStack = 20_000
// How long an execution may process events before messages from outside are handled.
const turnMs = 10
// The work that an event counts for: with a frozen clock, it ends an endless chain of setImmediate.
const stepsPerEvent = 0.1

type Post = (message: FromWorker) => void

const levels: readonly Level[] = ['info', 'warn', 'error', 'debug']

interface Source {
  program: Program
  /** V8's syntax error, if there is one: then the source is not run. */
  refused: { message: string; line: number } | undefined
}

// The latest programs: the same main.js runs again and again, for two hooks of every transaction.
const programs = new Map<string, Source>()
const maxPrograms = 20

/** A source that is refused is never run, so nothing asks for its places. */
const readSource = (source: string): Source => {
  const refused = syntaxFault(source)
  return { program: readProgram(refused === undefined ? source : ''), refused }
}

const programOf = (source: string): Source => {
  const program = programs.get(source) ?? readSource(source)
  programs.delete(source)
  programs.set(source, program)
  if (programs.size > maxPrograms) programs.delete(programs.keys().next().value!)
  return program
}

/** A run that has begun. `over` is called once, at its end. */
export class RunningHook {
  readonly #machine: Machine
  readonly #post: Post
  readonly #over: (broken: boolean) => void
  readonly #queue: EventQueue
  readonly window: RunWindow
  readonly #program: Program
  readonly #refused: Source['refused']
  readonly #timers = new Set<number>()
  readonly #requests = new Map<number, { sentAt: number; done: boolean; onNetwork: boolean; bytes: number }>()
  #underWay = 0
  #onNetwork = 0
  #requestsStarted = 0
  #bytesUnderWay = 0
  #logs = 0
  #logLength = 0
  #settled = false
  #ended = false
  /** How long the run has computed in finished entries, in ms, and when the current entry began. */
  #computed = 0
  #enteredAt = performance.now()
  #wake: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined

  constructor(
    readonly message: RunMessage,
    machine: Machine,
    post: Post,
    over: (broken: boolean) => void,
  ) {
    this.#machine = machine
    this.#post = post
    this.#over = over
    this.#queue = new EventQueue(message.nowMs, message.frozen)
    this.window = new RunWindow(message)
    const { program, refused } = programOf(message.source)
    this.#program = program
    this.#refused = refused
  }

  /** How long the run has been computing, in ms of real time. */
  computedMs(): number {
    return this.#computed + performance.now() - this.#enteredAt
  }

  /** Excludes, from the window and from card code's clock, the time that the thread waited while others computed. */
  forgive(waitedMs: number): void {
    this.window.forgive(waitedMs)
    this.#enteredAt += waitedMs
    this.#queue.skip(waitedMs)
  }

  /** Ends the run as if its window had closed. */
  stop(): void {
    this.window.close()
    clearTimeout(this.#wake)
    this.#yield()
  }

  start(): void {
    const message = this.message
    const machine = this.#machine
    const { hook, variables, seed, payload } = message
    if (this.#refused !== undefined) {
      this.#refuse(this.#refused)
      return
    }
    if (!this.#goOn(machine.begin(JSON.stringify({ variables, seed })))) return
    if (!this.#goOn(machine.load(this.#program.code))) return
    if (!this.#settled) {
      const called = isIdentifier(hook) ? machine.call(hook, payload) : 'missing'
      if (called === 'missing') {
        const text = `${hook} is not a function of main.js`
        this.#settle('missing-hook', { error: failure('Error', text) })
      } else if (!this.#goOn(called)) return
    }
    this.#pump()
  }

  /** News of an outbound request. */
  arrive(message: ArrivalMessage): void {
    const request = this.#requests.get(message.request)
    const { news, bytes } = message
    if (request === undefined || request.done || this.#ended) {
      this.#taken(bytes)
      return
    }
    if (news.kind === 'network') {
      if (!request.onNetwork) this.#queue.flows = (this.#onNetwork += 1) > 0
      request.onNetwork = true
      this.#schedule()
      return
    }
    const last = news.kind === 'end' || news.kind === 'error'
    if (last) this.#done(request)
    const due = Math.max(this.#queue.elapsed(), request.sentAt + message.spentMs)
    this.#queue.addAnswer(due, message.request, () => {
      if (last) this.#requests.delete(message.request)
      const entry = this.#machine.deliver(JSON.stringify({ id: message.request, ...news }), bytes)
      this.#taken(bytes)
      this.#goOn(entry)
    })
    this.#schedule()
  }

  /** Reports that bytes are no longer held: only a few megabytes may be unacknowledged. */
  #taken(bytes: Uint8Array | undefined): void {
    if (bytes !== undefined) this.#post({ kind: 'taken', run: this.message.run, bytes: bytes.length })
  }

  /** Nothing more is expected for a request. */
  #done(request: { done: boolean; onNetwork: boolean; bytes: number }): void {
    if (request.done) return
    request.done = true
    this.#underWay -= 1
    this.#bytesUnderWay -= request.bytes
    if (request.onNetwork) this.#queue.flows = (this.#onNetwork -= 1) > 0
  }

  /** Answers the guest. */
  host(
    operation: string,
    json: string,
    bytes: Uint8Array | undefined,
  ): string | number | ArrayBuffer | undefined {
    if (operation === 'now') return this.#queue.now()
    if (operation === 'started') return this.message.nowMs
    if (operation === 'encode' || operation === 'buffer-bytes') return bytesOfText(JSON.parse(json))
    const act = this.#acts[operation]
    if (act === undefined) return answerOperation(operation, json, this.#program, bytes)
    const data: unknown = JSON.parse(json)
    if (typeof data === 'object' && data !== null) act(data as Record<string, unknown>, bytes)
    return undefined
  }

  readonly #acts: Partial<
    Record<string, (data: Record<string, unknown>, bytes: Uint8Array | undefined) => void>
  > = {
    log: (data) => this.#log(data),
    timer: ({ id, ms }) => {
      if (!isCount(id) || !isCount(ms)) return
      this.#timers.add(id)
      this.#queue.add(this.#queue.elapsed() + ms, () => {
        if (this.#timers.delete(id))
          this.#goOn(this.#machine.deliver(JSON.stringify({ kind: 'timer', id }), undefined))
      })
    },
    'clear-timer': ({ id }) => {
      if (isCount(id)) this.#timers.delete(id)
    },
    fetch: (data, bytes) => this.#fetch(data, bytes),
    abort: ({ id }) => {
      const request = isCount(id) ? this.#requests.get(id) : undefined
      if (!isCount(id) || request === undefined) return
      this.#requests.delete(id)
      this.#done(request)
      this.#post({ kind: 'abort', run: this.message.run, request: id, atMs: Math.floor(this.#queue.now()) })
    },
    settle: (data) => this.#told(data),
    'syntax-error': ({ message, line }) =>
      this.#refuse({ message: cut(message, maxMessage), line: isCount(line) ? line : 1 }),
    uncaught: (data) => {
      if (this.#isStarved(data)) this.#settle('out-of-memory', { error: outOfMemory })
      const { stack } = fieldsOf(data.threw)
      const text = cut(stack, maxStack).replace(/^Uncaught /, '')
      this.#log({ level: 'error', text: `Uncaught ${data.promise === true ? '(in promise) ' : ''}${text}` })
    },
  }

  #log(data: Record<string, unknown>): void {
    if (this.#logs > maxLogs || this.#logLength > maxLogLength) return
    const level = levels.find((known) => known === data.level) ?? 'info'
    const text = typeof data.text === 'string' ? data.text : print(data.args, data.table === true)
    const content = isCount(data.depth) ? indented(text, data.depth) : text
    this.#logs += 1
    this.#logLength += content.length
    const full = this.#logs > maxLogs || this.#logLength > maxLogLength
    this.#post({
      kind: 'log',
      run: this.message.run,
      atMs: Math.floor(this.#queue.now()),
      level: full ? 'warn' : level,
      content: full ? 'The log is full (1,000 items or 1 MB): what follows is left out.' : content,
    })
  }

  #fetch(data: Record<string, unknown>, bytes: Uint8Array | undefined): void {
    const { id, method, url, headers, redirect, follow } = data
    if (!isCount(id) || typeof method !== 'string' || typeof url !== 'string' || !Array.isArray(headers))
      return
    const headerLength = headers.reduce<number>((sum, pair) => sum + String(pair).length, 0)
    const size = data.hasBody === true ? (bytes?.length ?? 0) : 0
    const refused =
      (this.#requestsStarted += 1) > maxRequests
        ? `more than ${maxRequests} requests in one execution`
        : url.length > maxAddressLength || method.length > maxAddressLength
          ? `an address or a method of more than ${maxAddressLength} characters`
          : headers.length > maxHeaders || headerLength > maxAddressLength
            ? `more than ${maxHeaders} headers, or ${maxAddressLength} characters of them`
            : this.#bytesUnderWay + size > maxBodyBytes
              ? `request bodies of more than ${maxBodyBytes} bytes under way`
              : undefined
    if (refused !== undefined) {
      const news = JSON.stringify({ id, kind: 'error', message: refused })
      this.#queue.add(this.#queue.elapsed(), () => this.#goOn(this.#machine.deliver(news, undefined)))
      return
    }
    this.#underWay += 1
    this.#bytesUnderWay += size
    this.#requests.set(id, { sentAt: this.#queue.elapsed(), done: false, onNetwork: false, bytes: size })
    const request: FetchMessage = {
      kind: 'fetch',
      run: this.message.run,
      request: id,
      atMs: Math.floor(this.#queue.now()),
      method,
      url,
      headers: headers.flatMap((pair: unknown): [string, string][] =>
        Array.isArray(pair) ? [[String(pair[0]), String(pair[1])]] : [],
      ),
      redirect: redirect === 'manual' || redirect === 'error' ? redirect : 'follow',
      follow: isCount(follow) ? follow : 20,
      body: data.hasBody === true ? (bytes ?? new Uint8Array()) : undefined,
    }
    this.#post(request)
  }

  /** main.js does not parse: V8 says so before it runs, or the engine when it loads it. */
  #refuse({ message, line }: { message: string; line: number }): void {
    const stack = `SyntaxError: ${message}\n    at main.js:${line}`
    this.#settle('syntax-error', { error: { name: 'SyntaxError', message, stack, line } })
    this.#finish(false)
  }

  /** The prelude reports the result of the hook. */
  #told(data: Record<string, unknown>): void {
    // Too late, or not a result of the hook at all: an interrupted promise job rejects its promise.
    if (this.window.isClosed) return
    const { threw, json, type } = data
    if (typeof threw !== 'object' || threw === null) {
      this.#settle('returned', {
        json: typeof json === 'string' ? json : undefined,
        returnedType: typeof type === 'string' ? type : 'undefined',
      })
      return
    }
    const { name, message, stack } = threw as Record<string, unknown>
    const line = /\(?main\.js:(\d+):\d+\)?$/m.exec(String(stack))?.[1]
    const starved = this.#isStarved(data)
    const failed = starved
      ? outOfMemory
      : { name: cut(name, maxName), message: cut(message, maxMessage), stack: cut(stack, maxStack) }
    const error = line === undefined ? failed : { ...failed, line: Number(line) }
    this.#settle(starved ? 'out-of-memory' : 'threw', { error })
  }

  /** Whether a thrown value is the engine's error for refused memory. */
  #isStarved({ threw, nothing }: Record<string, unknown>): boolean {
    const { name, message } = fieldsOf(threw)
    // Without the memory for an error it throws null.
    return nothing === true
      ? this.#machine.exhausted()
      : name === 'InternalError' && message === 'out of memory'
  }

  #settle(
    end: End,
    how: {
      json?: string | undefined
      returnedType?: string
      error?: HookFailure
    },
  ): void {
    if (this.#settled) return
    this.#settled = true
    const elapsed = end === 'timed-out' ? this.message.windowMs : this.#queue.elapsed()
    const ending: Ending = {
      end,
      json: how.json,
      returnedType: how.returnedType ?? 'undefined',
      error: how.error === undefined ? null : { ...how.error, afterMs: Math.round(elapsed) },
      completedMs: Math.floor(this.message.nowMs + elapsed),
    }
    this.#post({ kind: 'ending', run: this.message.run, ending })
  }

  /** True when the run can continue after an entry into the guest. */
  #goOn(entry: Entry): boolean {
    if (this.#ended) return false
    if (entry === 'done') return true
    if (typeof entry === 'object') {
      this.#broken(entry.broken)
      return false
    }
    if (entry === 'interrupted') {
      this.#close()
      return false
    }
    // The prelude itself failed in the guest: it can run out of memory.
    if (this.#machine.exhausted()) this.#settle('out-of-memory', { error: outOfMemory })
    else this.#settle('crashed', { error: failure('Error', 'the code could not be run to its end') })
    return true
  }

  #broken(error: unknown): void {
    const deep = error instanceof RangeError && error.message.includes('call stack')
    if (deep) this.#settle('threw', { error: failure('RangeError', 'Maximum call stack size exceeded') })
    else if (this.#machine.exhausted()) this.#settle('out-of-memory', { error: outOfMemory })
    else this.#settle('crashed', { error: failure('Error', 'the engine broke down') })
    this.#finish(true)
  }

  /** Computes again after a wait. */
  #resume(): void {
    this.#enteredAt = performance.now()
    this.#pump()
  }

  /** Runs events that are due, until the run has to wait or is over. */
  #pump(): void {
    const turnEnds = this.#enteredAt + turnMs
    while (!this.#ended) {
      if (!this.#goOn(this.#machine.drain())) return
      const item = this.#due()
      if (item === undefined) break
      this.#queue.take()
      this.window.step(stepsPerEvent)
      item.run()
      if (performance.now() > turnEnds) {
        this.#yield()
        break
      }
    }
    this.#computed = this.computedMs()
  }

  /** The event to run now. Undefined when the run is over, or has to wait: the wake-up is then scheduled. */
  #due(): Item | undefined {
    const next = this.#queue.next()
    const { frozen } = this.#queue
    const waiting = this.#underWay > 0
    const idle = next === undefined && !waiting
    // Without memory the engine may drop the very job that would have reported it.
    if (idle && this.#machine.exhausted()) this.#settle('out-of-memory', { error: outOfMemory })
    if (this.window.isClosed || this.#networkMs() <= 0) this.#close()
    else if (idle && this.#settled) this.#finish(false)
    // Frozen, what nothing can wake any more has timed out: no real time is needed to see it.
    else if (idle && frozen) this.#close()
    // Frozen time does not move while the host is asked, whose answer may be due next; while the network is, in real time.
    else if (next === undefined || (frozen && waiting && !this.#isRipe(next))) this.#schedule()
    else if (next.due >= this.message.windowMs && frozen) this.#close()
    else if (next.due > this.#queue.elapsed() && !frozen) this.#schedule()
    else {
      this.#queue.spendUntil(next)
      return next
    }
    return undefined
  }

  /** Frozen, while answers are awaited: whether the event has waited as long as the network may take. */
  #isRipe(item: Item): boolean {
    return this.#onNetwork > 0 && this.#queue.waitFor(item) <= 0
  }

  #schedule(): void {
    clearTimeout(this.#wake)
    const next = this.#queue.next()
    const { frozen } = this.#queue
    const left = Math.min(this.window.leftMs, this.#networkMs())
    const idle = next === undefined || (frozen && this.#underWay > 0 && this.#onNetwork === 0)
    const soon = idle ? left : Math.min(left, this.#untilMs(next))
    if (soon <= 0) this.#yield()
    // Timers of the host fire up to a millisecond early: rounding up keeps Date.now() from seeing it.
    else this.#wake = setTimeout(() => this.#resume(), Math.ceil(soon))
  }

  /** Frozen: how long the network may still be awaited, in ms of real time. */
  #networkMs(): number {
    const isAwaited = this.#queue.frozen && this.#onNetwork > 0
    return isAwaited ? this.message.windowMs - this.#queue.flow() : Infinity
  }

  /** The real time until an event is to run, in ms. */
  #untilMs(item: Item): number {
    if (!this.#queue.frozen) return item.due - this.#queue.elapsed()
    return this.#onNetwork > 0 ? this.#queue.waitFor(item) : 0
  }

  #yield(): void {
    if (this.#ended) return
    clearImmediate(this.#turn)
    this.#turn = setImmediate(() => this.#resume())
  }

  /** The window has closed: unsettled promises have timed out, and running code is dropped. */
  #close(): void {
    const { hook, windowMs } = this.message
    this.#settle('timed-out', { error: timeout(hook, windowMs) })
    this.#finish(false)
  }

  #finish(broken: boolean): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#wake)
    clearImmediate(this.#turn)
    this.#over(broken)
  }
}
