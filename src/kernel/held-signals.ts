type EndSignal = 'SIGTERM' | 'SIGINT';

/**
 * Holds the signals of a service from its first own line on. A signal without a handler would end the process, and
 * systemd takes SIGHUP for a clean end: the service would stay down after a reload that came too soon.
 */
export class HeldSignals {
  #isReloadDue = false;
  #reload: (() => void) | undefined;
  #end: (signal: EndSignal) => void = () => process.exit(0);

  /** From now on SIGHUP is remembered until `onHangup`; SIGTERM and SIGINT end the process with status 0 until `onEnd`. */
  hold(): void {
    process.on('SIGHUP', () => {
      if (this.#reload === undefined) this.#isReloadDue = true;
      else this.#reload();
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#end(signal));
  }

  /** Sets the handler of SIGHUP. If the signal came before, the handler runs once at once. */
  onHangup(reload: () => void): void {
    this.#reload = reload;
    if (this.#isReloadDue) reload();
    this.#isReloadDue = false;
  }

  /** Sets the handler of SIGTERM and SIGINT. */
  onEnd(end: (signal: EndSignal) => void): void {
    this.#end = end;
  }
}
