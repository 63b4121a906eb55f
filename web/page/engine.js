/**
 * Reason for a missing answer: "superseded", "stopped", "memory" if the request needs more than the
 * engine may have, "trap" if the engine failed, "start" if it cannot start. `request` is the `do`
 * of the request on which the engine ended.
 */
export class NoAnswer extends Error {
  constructor(reason, detail = "", request = null) {
    super(detail || reason);
    this.reason = reason;
    this.request = request;
  }
}

/** Milliseconds after which a request about an old text is stopped in favour of a new text. */
const PATIENCE = 1000;
/**
 * Size of the memory of the engine in bytes above which its worker is started anew, since the
 * memory never shrinks. The engine may have 109 MB, see `engine/build.sh`.
 */
const FULL = 48e6;
/**
 * Milliseconds without a request after which that happens: a new worker has to derive again what
 * the next request needs.
 */
const IDLE = 1000;

/**
 * Client of the engine in its worker. Requests run one after the other. A request supersedes a
 * waiting one with the same `key`; `load` supersedes all that wait and are about the text before
 * it.
 */
export class Engine {
  #script;
  #base64;
  #module = null;
  #worker = null;
  #ready = false;
  #waiting = [];
  #running = null;
  /** The last `load` of a text without errors. */
  #loaded = null;
  /** Whether the engine has another text, or none. */
  #reload = false;
  #serial = 0;
  #memory = 0;
  #idle = null;
  /** Lock that a worker holds until it has ended. */
  #lock = `engine ${performance.timeOrigin} ${Math.random()}`;
  #broken = null;
  /** Called with the `do` of the running request, or null, whenever that changes. */
  onbusy = () => {};

  /**
   * @param {string} script script of the worker
   * @param {string} base64 the wasm module, compressed with gzip
   */
  constructor(script, base64) {
    this.#script = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#base64 = base64;
    this.#start();
  }

  /**
   * @param {{do: string}} message a request of the engine
   * @param {string} [key] by default the `do` of the request
   * @returns {Promise<Record<string, any>>} the answer; rejects with NoAnswer
   */
  request(message, key = message.do) {
    if (this.#broken) return Promise.reject(new NoAnswer("start", this.#broken));
    const isSuperseded = (r) => (message.do === "load" ? r.message.do !== "words" : r.key === key);
    const superseded = this.#waiting.filter(isSuperseded);
    this.#waiting = this.#waiting.filter((r) => !superseded.includes(r));
    for (const r of superseded) r.reject(new NoAnswer("superseded"));
    if (!this.#worker) this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, key, resolve, reject });
      this.#next();
      if (message.do === "load" && this.#running) this.#limitRunning();
    });
  }

  /**
   * Stops the running request and all that wait. The next request is about the last text without
   * errors.
   */
  stop() {
    const all = this.#takeAll();
    this.#restart();
    for (const r of all) r.reject(new NoAnswer("stopped"));
  }

  #takeAll() {
    const running = this.#finish(),
      all = [...(running ? [running] : []), ...this.#waiting];
    this.#waiting = [];
    return all;
  }

  #start() {
    const worker = new Worker(this.#script);
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = (event) =>
      worker === this.#worker && this.#receive({ failure: event.message || "no worker" });
    const engine = this.#module ? { module: this.#module } : { base64: this.#base64 };
    worker.postMessage({ ...engine, lock: this.#lock });
    this.#worker = worker;
  }

  #restart() {
    this.#end();
    this.#start();
  }

  #end() {
    this.#finish();
    this.#reload = this.#loaded !== null;
    this.#ready = false;
    this.#memory = 0;
    this.#worker?.terminate();
    this.#worker = null;
  }

  #limitRunning() {
    const running = this.#running;
    setTimeout(
      () => {
        if (this.#running !== running || !this.#waiting.some((r) => r.message.do === "load")) return;
        this.#restart();
        running.reject(new NoAnswer("superseded"));
      },
      Math.max(0, PATIENCE - (performance.now() - running.since)),
    );
  }

  #next() {
    if (!this.#ready || this.#running || !this.#waiting.length) return;
    if (this.#memory > FULL && this.#waiting[0].message.do === "load") {
      this.#restart();
      return;
    }
    if (this.#reload && this.#waiting[0].message.do !== "load") {
      this.#waiting.unshift({ message: this.#loaded, key: "reload", resolve() {}, reject() {} });
    }
    this.#reload = false;
    this.#running = this.#waiting.shift();
    this.#running.since = performance.now();
    this.#running.id = ++this.#serial;
    this.#worker.postMessage({ id: this.#running.id, json: JSON.stringify(this.#running.message) });
    this.onbusy(this.#running.message.do);
  }

  #finish() {
    const running = this.#running;
    this.#running = null;
    if (running) this.onbusy(null);
    return running;
  }

  #receive(data) {
    if (data.module) {
      // The first worker only compiles the engine: 60 MB of its memory are not needed later.
      this.#module = data.module;
      this.#base64 = null;
      this.#restart();
    } else if (data.ready) {
      this.#ready = true;
    } else if (data.failure !== undefined) {
      // A browser that has compiled the engine can start it, maybe with more memory than now.
      if (!this.#module) this.#broken = data.failure;
      const all = this.#takeAll();
      this.#end();
      for (const r of all) r.reject(new NoAnswer("start", data.failure));
    } else if (this.#running && data.id === this.#running.id) {
      if (data.trap === undefined) this.#resolve(data);
      else this.#fail(data);
    }
    this.#next();
  }

  #resolve(data) {
    const { message, resolve } = this.#finish(),
      answer = JSON.parse(data.answer);
    if (message.do === "load") {
      if (answer.ok) this.#loaded = message;
      this.#reload = !answer.ok && this.#loaded !== null;
    }
    this.#memory = data.memory;
    clearTimeout(this.#idle);
    // A report takes memory of its own when it is shown.
    if (message.do === "equations") this.#restartIfFull();
    else this.#idle = setTimeout(() => this.#restartIfFull(), IDLE);
    resolve(answer);
  }

  #restartIfFull() {
    if (this.#memory > FULL && !this.#running && !this.#waiting.length) this.#restart();
  }

  #fail({ reason, trap }) {
    const failed = [this.#running],
      { message } = this.#running;
    if (message.do === "load") {
      // A text on which the engine fails is not loaded again, and has no results.
      if (message === this.#loaded) this.#loaded = null;
      const isNext = this.#waiting.some((r) => r.message.do === "load");
      const isAboutText = (r) => !isNext && r.message.do !== "words";
      failed.push(...this.#waiting.filter(isAboutText));
      this.#waiting = this.#waiting.filter((r) => !isAboutText(r));
    }
    this.#restart();
    for (const r of failed) r.reject(new NoAnswer(reason, trap, message.do));
  }
}
