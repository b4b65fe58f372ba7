import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;
/** Standard query response, recursion available. */
const FLAGS = 0x8180;
const NAME_UNKNOWN = 3;
const HEADER_BYTES = 12;
/** Points to the name of the question. */
const NAME_OF_QUESTION = 0xc00c;
const INTERNET = 1;

/** A name server on loopback, whose zone the test writes. */
export interface TinyDns extends AsyncDisposable {
  /** The server's address, as ADDRESS:PORT. */
  address: string;
  /** Names that were requested of it, in order. */
  asked: string[];
  /** Addresses of a name at this moment; undefined where there is no such name. */
  zone: (name: string) => readonly string[] | undefined;
}

export async function startDns(zone: TinyDns['zone']): Promise<TinyDns> {
  const socket = createSocket('udp4');
  const dns: TinyDns = {
    address: '',
    asked: [],
    zone,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = questionIn(query);
    dns.asked.push(name);
    socket.send(answerTo(query, question, type, dns.zone(name)), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  dns.address = `127.0.0.1:${socket.address().port}`;
  return dns;
}

function questionIn(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(HEADER_BYTES, at + 5),
  };
}

function answerTo(query: Buffer, question: Buffer, type: number, told: readonly string[] | undefined): Buffer {
  const addresses = (told ?? []).filter((address) => (isIPv4(address) ? TYPE_A : TYPE_AAAA) === type);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(FLAGS | (told === undefined ? NAME_UNKNOWN : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, question, ...addresses.map((address) => record(type, bytesOf(address)))]);
}

/** It may be kept for no time at all, so that each question is asked. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(NAME_OF_QUESTION, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(INTERNET, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The tests write IPv6 addresses with all groups, or with `::` once.
  const [front = '', back] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array.from({ length: zeros }, () => '0'), ...groups(back ?? '')];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
