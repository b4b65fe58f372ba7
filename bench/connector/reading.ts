import { type Times, ToolClient, timesOf } from './client.ts';
import { PHRASES } from './corpus.ts';
import { SojuClient } from './soju-client.ts';

const PAGE_LINES = 50;
const READS = 1_500;
/** Calls of both sides before the measured ones, to warm up compilers and caches. */
const WARM_UP_READS = 1_500;
/** Pages that a reader goes back before it starts again at the newest. */
const PAGES_DEEP = 30;
const SEARCH_TURNS = 15;
/** Searches in a row on one side, so that a server's work after an answer, such as garbage collection, counts as its own. */
const SEARCHES_PER_TURN = 10;

export interface Reading {
  connector: Times;
  soju: Times;
}

export interface Sides {
  baseUrl: string;
  token: string;
  channel: string;
  soju: { address: string; user: string; password: string };
}

type Phrase = keyof typeof PHRASES;

export interface Readings {
  history: Reading;
  searches: Record<Phrase, Reading & { found: [number, number] }>;
}

/** Reads pages of history and searches at both by turns, with one reader each: over HTTP here, over IRC there. */
export async function compareReading({ baseUrl, token, channel, soju }: Sides): Promise<Readings> {
  const ours = new ToolClient(baseUrl, token);
  const theirs = await SojuClient.connect(soju.address, soju.user, soju.password);
  try {
    const history = {
      connector: timesOf(await ourPages(ours, channel)),
      soju: timesOf(await sojuPages(theirs, channel)),
    };
    const searches = {} as Record<Phrase, Reading & { found: [number, number] }>;
    for (const [name, phrase] of Object.entries(PHRASES) as [Phrase, string][]) {
      searches[name] = await compareSearch(ours, theirs, channel, phrase);
    }
    return { history, searches };
  } finally {
    ours.close();
    theirs.close();
  }
}

const isDeepest = (index: number): boolean => (index + WARM_UP_READS) % PAGES_DEEP === PAGES_DEEP - 1;

/** Counts in the raw answer: parsing would fill the benchmark's memory, and it would measure its own collections. */
const NEXT_PAGE = /"nextPageToken":"([^"]+)"/;

async function ourPages(client: ToolClient, channel: string): Promise<number[]> {
  const times: number[] = [];
  let token: string | undefined;
  for (let index = -WARM_UP_READS; index < READS; index += 1) {
    const args = { channel, mode: 'recent', limit: PAGE_LINES, ...(token === undefined ? {} : { page_token: token }) };
    const { ms, text } = await client.ask({ tool: 'read_history', args });
    if (index >= 0) times.push(ms);
    token = isDeepest(index) ? undefined : NEXT_PAGE.exec(text)?.[1];
  }
  return times;
}

async function sojuPages(client: SojuClient, channel: string): Promise<number[]> {
  const times: number[] = [];
  let before: string | undefined;
  for (let index = -WARM_UP_READS; index < READS; index += 1) {
    const question = before === undefined ? ['LATEST', channel, '*'] : ['BEFORE', channel, `timestamp=${before}`];
    const { ms, first } = await client.lines('CHATHISTORY', ...question, String(PAGE_LINES));
    if (index >= 0) times.push(ms);
    before = isDeepest(index) ? undefined : first?.tags['time'];
  }
  return times;
}

async function compareSearch(
  ours: ToolClient,
  theirs: SojuClient,
  channel: string,
  phrase: string,
): Promise<Reading & { found: [number, number] }> {
  const [connector, soju]: [number[], number[]] = [[], []];
  const call = { tool: 'search_history', args: { channel, phrase, limit: PAGE_LINES } };
  const query = `in=${channel};text=${phrase.replaceAll(' ', '\\s')};limit=${PAGE_LINES}`;
  const { entries } = (await ours.call(call)).structuredContent as { entries: unknown[] };
  const { count } = await theirs.lines('SEARCH', query);
  for (let turn = 0; turn < SEARCH_TURNS; turn += 1) {
    for (let index = 0; index < SEARCHES_PER_TURN; index += 1) connector.push(await ours.time(call));
    for (let index = 0; index < SEARCHES_PER_TURN; index += 1) soju.push((await theirs.lines('SEARCH', query)).ms);
  }
  return { connector: timesOf(connector), soju: timesOf(soju), found: [entries.length, count] };
}
