import { announcedCasemapping, type Casemapping, fold, USUAL_CASEMAPPING } from '../domain/casemapping.ts';

/** Status signs a server puts before nicks in a list of names; ISUPPORT PREFIX of common servers. */
const STATUS_SIGNS = /^[~&@%+!]+/;

/** Bounds on the channels of the account and the people of one channel; far above those of any network. */
const ROOMS_MAX = 1_000;
const MEMBERS_MAX = 100_000;

interface Room {
  name: string;
  /** Nicks by their folded form. */
  members: Map<string, string>;
}

/** The joined channels, and who is in the known ones: a QUIT or NICK line does not name its channels. */
export class Rooms {
  #casemapping: Casemapping = USUAL_CASEMAPPING;
  #statusSigns = '~&@%+';
  #known = new Map<string, string>();
  #joined = new Map<string, Room>();

  /** Keys change with the network's casemapping, which is announced late and may change with each connection. */
  set announcedCasemapping(announced: string) {
    const casemapping = announcedCasemapping(announced);
    if (casemapping === this.#casemapping) return;
    this.#casemapping = casemapping;
    this.known = [...this.#known.values()];
    const rooms = [...this.#joined.values()];
    this.#joined = new Map(rooms.map((room) => [this.fold(room.name), this.#refolded(room)]));
  }

  get casemapping(): Casemapping {
    return this.#casemapping;
  }

  /** Signs before a channel's name for those in it who have such a status; ISUPPORT `STATUSMSG`. */
  set statusSigns(signs: string) {
    this.#statusSigns = signs;
  }

  /** The channel whose part a message is for: `#room` for `@#room`. */
  withoutStatus(target: string): string {
    const start = [...target].findIndex((character) => !this.#statusSigns.includes(character));
    return start === -1 ? target : target.slice(start);
  }

  /** The channels to observe, by the names they are stored under. */
  set known(channels: readonly string[]) {
    this.#known = new Map(channels.map((channel) => [this.fold(channel), channel]));
  }

  get joined(): string[] {
    return [...this.#joined].map(([key, { name }]) => this.#known.get(key) ?? name);
  }

  fold(text: string): string {
    return fold(text, this.#casemapping);
  }

  /** The known channel whose name this network takes for the same. */
  resolve(channel: string): string | undefined {
    return this.#known.get(this.fold(channel));
  }

  /** Known channels this person is in. */
  sharedWith(nick: string): string[] {
    const key = this.fold(nick);
    return [...this.#known].flatMap(([room, name]) => (this.#joined.get(room)?.members.has(key) ? [name] : []));
  }

  isIn(channel: string): boolean {
    return this.#joined.has(this.fold(channel));
  }

  enter(channel: string): void {
    if (this.#joined.size >= ROOMS_MAX) return;
    this.#joined.set(this.fold(channel), { name: channel, members: new Map() });
  }

  leave(channel: string): void {
    this.#joined.delete(this.fold(channel));
  }

  leaveAll(): void {
    this.#joined.clear();
  }

  /** @param names as a list of names has them, with status signs */
  add(channel: string, names: readonly string[]): void {
    if (this.resolve(channel) === undefined) return;
    const members = this.#joined.get(this.fold(channel))?.members;
    if (members !== undefined && members.size + names.length > MEMBERS_MAX) return;
    for (const name of names) {
      const nick = name.replace(STATUS_SIGNS, '');
      members?.set(this.fold(nick), nick);
    }
  }

  remove(channel: string, nick: string): void {
    this.#joined.get(this.fold(channel))?.members.delete(this.fold(nick));
  }

  quit(nick: string): void {
    const key = this.fold(nick);
    for (const { members } of this.#joined.values()) members.delete(key);
  }

  rename(from: string, to: string): void {
    const key = this.fold(from);
    for (const { members } of this.#joined.values()) if (members.delete(key)) members.set(this.fold(to), to);
  }

  #refolded({ name, members }: Room): Room {
    return { name, members: new Map([...members.values()].map((nick) => [this.fold(nick), nick])) };
  }
}
