import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Logger } from '../kernel/log.ts';
import type { SoftSettings } from './soft-settings.ts';
import { decidingSettings, statedSettings } from './stated-settings.ts';
import type { Agreement } from './store/hold/agreement.ts';
import { decidingSettingsIn } from './store/hold/deciding-settings.ts';
import { differingSettings } from './store/hold/differing-settings.ts';

/**
 * Wait before the accounts are compared with changed settings once more: every process that serves has read them by
 * then, and none restores what the settings before allowed.
 */
const AGAIN_MS = 10_000;

export interface OwnAgreementOptions {
  soft: SoftSettings;
  log: Logger;
}

/**
 * States the settings of this process to the others on the same database, warns when theirs differ, and puts the
 * settings in force that count for all: those of the process that was started, or reloaded, last.
 */
export class OwnAgreement {
  readonly #options: OwnAgreementOptions;
  /** Hashes of the own options, which change by a reload alone. */
  #own: Readonly<Record<string, string>> = {};
  #agreement: Agreement | undefined;
  #ircChannels: readonly string[] | undefined;
  /** The deciding settings that this process has stated last. */
  #stated: string | undefined;
  /** The deciding settings that were read last: they are in force, unless they were damaged. */
  #read: string | undefined;
  /** The differences that were reported last. */
  #reported = '';
  #reconcile: (() => Promise<void>) | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(options: OwnAgreementOptions) {
    this.#options = options;
  }

  /** Looks with each heartbeat from now on. @param agreement undefined if no other process can use the database */
  follow(agreement: Agreement | undefined): void {
    if (agreement === undefined || this.#agreement !== undefined) return;
    this.#agreement = agreement;
    this.#state(agreement);
    agreement.onLook(() => this.#looked(agreement));
  }

  /**
   * Stores the settings of this process as those that count for all, unless one that started later serves.
   * @param config with the channels in their stored spelling
   */
  async decide(config: ConnectorConfig): Promise<void> {
    this.#ircChannels = config.ircChannels;
    if (this.#agreement === undefined || this.#stated !== undefined) return;
    const content = this.#content();
    await this.#agreement.decide(content);
    this.#stated = content;
  }

  /** Calls `reconcile` when other settings count than before: this process applies them to the accounts. */
  onChange(reconcile: () => Promise<void>): void {
    this.#reconcile = reconcile;
  }

  /** Handles a reload of this process. */
  async reloaded(): Promise<void> {
    const agreement = this.#agreement;
    if (agreement === undefined) return this.#reconcile?.();
    this.#state(agreement);
    const content = this.#content();
    // What this process does not change itself must not undo a later decision of another one.
    if (this.#stated === undefined || content === this.#stated) return;
    this.#stated = content;
    await agreement.decideAnew(content);
  }

  close(): void {
    clearTimeout(this.#again);
    this.#reconcile = undefined;
  }

  #state(agreement: Agreement): void {
    this.#own = statedSettings(this.#options.soft.inForce);
    agreement.state({ settings: this.#own });
  }

  #content(): string {
    const { inForce } = this.#options.soft;
    return JSON.stringify(decidingSettings(inForce, this.#ircChannels ?? inForce.ircChannels));
  }

  #looked(agreement: Agreement): void {
    this.#compare(agreement);
    const { decided } = agreement;
    if (decided === undefined || decided.content === this.#read) return;
    const { soft, log } = this.#options;
    const isFirst = this.#read === undefined;
    this.#read = decided.content;
    const settings = decidingSettingsIn(decided.content);
    if (settings === undefined) {
      log.error(
        { by: decided.by },
        'decided_settings: the settings that decide who may come in are damaged in the database, so those in force here stay so: restart a process, which stores its own',
      );
      return;
    }
    soft.decided = settings;
    if (isFirst) return;
    log.info(
      { by: decided.by },
      'other settings than before decide who may come in: those of the process that was started or reloaded last',
    );
    this.#apply();
    clearTimeout(this.#again);
    if (agreement.others.length > 0) this.#again = setTimeout(() => this.#apply(), AGAIN_MS).unref();
  }

  #apply(): void {
    this.#reconcile?.().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'accounts do not fit the new configuration yet');
    });
  }

  /** Reports all differences together, again only when they change. */
  #compare({ others }: Agreement): void {
    const { log } = this.#options;
    const differ = others.flatMap(({ name, stated, isSilent }) => {
      const theirs = isSilent ? undefined : stated?.settings;
      const options = theirs === undefined ? [] : differingSettings(this.#own, theirs);
      return options.length === 0 ? [] : [{ process: name, options }];
    });
    const text = JSON.stringify(differ);
    if (text === this.#reported) return;
    const hadAny = this.#reported !== '' && this.#reported !== '[]';
    this.#reported = text;
    if (differ.length > 0) {
      log.warn(
        { differ },
        'other processes on this database have other settings: make them the same in all configurations, then restart the processes that have the earlier ones, or reload them where a reload applies them',
      );
    } else if (hadAny) log.info('all processes on this database have the same settings again');
  }
}
