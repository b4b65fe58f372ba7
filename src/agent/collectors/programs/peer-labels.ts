/** Keys whose numbers are remembered; more come only where peers are made and thrown away. */
const REMEMBERED_MAX = 10_000;

/**
 * Labels of peers: the configured name, else `unnamed` and a number a key keeps for as long as the process lives.
 * @spec agent#metrics rule 2
 */
export class PeerLabels {
  readonly #names: ReadonlyMap<string, string>;
  readonly #taken: ReadonlySet<string>;
  #numbered = new Map<string, string>();
  #next = 1;

  /** @param names public key -> host name */
  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#taken = new Set(names.values());
  }

  /** Labels in the order of the keys; new keys are numbered in that order, so pass them sorted. */
  of(publicKeys: readonly string[]): string[] {
    if (this.#numbered.size > REMEMBERED_MAX) this.#forgetAllBut(publicKeys);
    return publicKeys.map((key) => this.#names.get(key) ?? this.#numbered.get(key) ?? this.#number(key));
  }

  #number(key: string): string {
    while (this.#taken.has(`unnamed${this.#next}`)) this.#next += 1;
    const label = `unnamed${this.#next}`;
    this.#next += 1;
    this.#numbered.set(key, label);
    return label;
  }

  #forgetAllBut(publicKeys: readonly string[]): void {
    const present = new Set(publicKeys);
    this.#numbered = new Map([...this.#numbered].filter(([key]) => present.has(key)));
  }
}

/** Public key -> host name. What the host itself says of a name or a key wins over what its network says. */
export function peerNames(
  own: Readonly<Record<string, string>>,
  network: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, key] of Object.entries(network)) if (!Object.hasOwn(own, name)) names.set(key, name);
  for (const [name, key] of Object.entries(own)) names.set(key, name);
  return names;
}
