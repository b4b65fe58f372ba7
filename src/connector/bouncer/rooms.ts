import { announcedCasemapping, type Casemapping, fold, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { channelKey } from '../domain/channel.ts';

/** Status signs before nicks in a NAMES list; ISUPPORT PREFIX of common servers. */
const STATUS_SIGNS = /^[~&@%+!]+/;

/** Most channels of the account and most members of one channel; far above those of any network. */
const ROOMS_MAX = 1_000;
const MEMBERS_MAX = 100_000;

interface Room {
  name: string;
  /** Folded nick → nick. */
  members: Map<string, string>;
}

/** Tracks the joined channels, and the members of the known ones: a QUIT or NICK line does not name its channels. */
export class Rooms {
  #casemapping: Casemapping = USUAL_CASEMAPPING;
  #statusSigns = '~&@%+';
  /** All known channels: names that are equal on one network may differ on the next connection. */
  #known: readonly string[] = [];
  #byKey = new Map<string, string>();
  /** The first channel of each folded name, if the network considers several equal. */
  #byFold = new Map<string, string>();
  #joined = new Map<string, Room>();

  /** Changes the keys to the network's casemapping, which is announced late and may change with each connection. */
  set announcedCasemapping(announced: string | undefined) {
    const casemapping = announced === undefined ? USUAL_CASEMAPPING : announcedCasemapping(announced);
    if (casemapping === this.#casemapping) return;
    this.#casemapping = casemapping;
    this.known = this.#known;
    const rooms = [...this.#joined.values()];
    this.#joined = new Map(rooms.map((room) => [this.fold(room.name), this.#refolded(room)]));
  }

  get casemapping(): Casemapping {
    return this.#casemapping;
  }

  /** Signs before a channel's name that address members with that status; ISUPPORT `STATUSMSG`. */
  set statusSigns(signs: string) {
    this.#statusSigns = signs;
  }

  /** Returns the channel of a message to a part of its members: `#room` for `@#room`. */
  withoutStatus(target: string): string {
    const start = [...target].findIndex((character) => !this.#statusSigns.includes(character));
    return start === -1 ? target : target.slice(start);
  }

  /** Channels to observe, by the names they are stored under. */
  set known(channels: readonly string[]) {
    this.#known = channels;
    this.#byKey = new Map(channels.map((channel) => [channelKey(channel), channel]));
    this.#byFold = new Map(channels.toReversed().map((channel) => [this.fold(channel), channel]));
  }

  get joined(): string[] {
    return [...this.#joined.values()].map(({ name }) => this.resolve(name) ?? name);
  }

  fold(text: string): string {
    return fold(text, this.#casemapping);
  }

  /**
   * Returns the known channel that this network considers equal; of two, the spelling decides, as in `resolveChannel`.
   */
  resolve(channel: string): string | undefined {
    return this.#byKey.get(channelKey(channel)) ?? this.#byFold.get(this.fold(channel));
  }

  /** Returns the known channels that this user is in. */
  sharedWith(nick: string): string[] {
    const key = this.fold(nick);
    return [...this.#joined.values()].flatMap(({ name, members }) => {
      const channel = members.has(key) ? this.resolve(name) : undefined;
      return channel === undefined ? [] : [channel];
    });
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

  /** @param names names as in a NAMES list, with status signs */
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
