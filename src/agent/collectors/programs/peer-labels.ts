/** Keys whose numbers are remembered; only a host that keeps creating and deleting peers has more. */
const REMEMBERED_MAX = 10_000;

/** Numbers of peers without a name. A key keeps its number as long as this object lives, also across reloads. */
export class PeerNumbers {
  #numbers = new Map<string, number>();
  #next = 1;

  /** @param isFree whether no other peer has this number in its label */
  of(publicKey: string, isFree: (number: number) => boolean): number {
    const known = this.#numbers.get(publicKey);
    if (known !== undefined && isFree(known)) return known;
    while (!isFree(this.#next)) this.#next += 1;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(publicKey, number);
    return number;
  }

  /** Forgets all other keys once there are too many, so that short-lived peers do not fill the memory. */
  forgetSomeBut(publicKeys: readonly string[]): void {
    if (this.#numbers.size <= REMEMBERED_MAX) return;
    const present = new Set(publicKeys);
    this.#numbers = new Map([...this.#numbers].filter(([key]) => present.has(key)));
  }
}

/**
 * Labels of peers: the configured name, else `unnamed` and the key's number.
 * @spec agent#metrics rule 2
 */
export class PeerLabels {
  readonly #names: ReadonlyMap<string, string>;
  readonly #taken: ReadonlySet<string>;
  readonly #numbers: PeerNumbers;

  /**
   * @param names public key -> host name
   * @param numbers those of an earlier configuration, so that peers do not change their labels with it
   */
  constructor(names: ReadonlyMap<string, string>, numbers = new PeerNumbers()) {
    this.#names = names;
    this.#taken = new Set(names.values());
    this.#numbers = numbers;
  }

  /** Labels in the order of the keys; new keys are numbered in that order, so pass them sorted. */
  of(publicKeys: readonly string[]): string[] {
    this.#numbers.forgetSomeBut(publicKeys);
    const isFree = (number: number): boolean => !this.#taken.has(labelOf(number));
    return publicKeys.map((key) => this.#names.get(key) ?? labelOf(this.#numbers.of(key, isFree)));
  }
}

const labelOf = (number: number): string => `unnamed${number}`;

/** Public key -> host name. The host's own entry for a name or a key overrides the network's. */
export function peerNames(
  own: Readonly<Record<string, string>>,
  network: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, key] of Object.entries(network)) if (!Object.hasOwn(own, name)) names.set(key, name);
  for (const [name, key] of Object.entries(own)) names.set(key, name);
  return names;
}
