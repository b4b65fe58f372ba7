import { RequestRefusedError } from '../errors.ts';
import { queryExtension } from './query-extension.ts';
import type { XConnection } from './x-connection.ts';

/** A part of the screen that one monitor shows. */
export interface Monitor {
  isPrimary: boolean;
  widthPixels: number;
  heightPixels: number;
  /** Height that the monitor reports; 0 if unknown. */
  heightMm: number;
}

/** Requests, and offsets in the answer; RANDR protocol 1.5. */
const QUERY_VERSION = 0;
const GET_MONITORS = 42;
const COUNT_AT = 4;
const LIST_AT = 24;
const MONITOR = { bytes: 24, primary: 4, outputs: 6, width: 12, height: 14, heightMm: 20 } as const;

/** Returns the monitors of the screen; empty if the server lacks RANDR 1.5. */
export async function askMonitors(connection: XConnection): Promise<readonly Monitor[]> {
  try {
    const extension = await queryExtension(connection, 'RANDR');
    if (extension === undefined) return [];
    const { majorOpcode } = extension;
    const version = new Uint32Array([majorOpcode | (QUERY_VERSION << 8) | (3 << 16), 1, 5]);
    const [major, minor] = await connection.askPacked(
      'the version of RANDR',
      new Uint8Array(version.buffer),
      (body) => [body.readUInt32LE(0), body.readUInt32LE(4)] as const,
    );
    if (major < 1 || (major === 1 && minor < 5)) return [];
    const active = 1;
    const request = new Uint32Array([majorOpcode | (GET_MONITORS << 8) | (3 << 16), connection.screen.root, active]);
    return await connection.askPacked('the monitors', new Uint8Array(request.buffer), decodeMonitors);
  } catch (error) {
    if (error instanceof RequestRefusedError) return [];
    throw error;
  }
}

function decodeMonitors(body: Buffer): Monitor[] {
  const monitors: Monitor[] = [];
  let at = LIST_AT;
  for (let left = body.readUInt32LE(COUNT_AT); left > 0 && at + MONITOR.bytes <= body.length; left--) {
    monitors.push({
      isPrimary: body[at + MONITOR.primary] !== 0,
      widthPixels: body.readUInt16LE(at + MONITOR.width),
      heightPixels: body.readUInt16LE(at + MONITOR.height),
      heightMm: body.readUInt32LE(at + MONITOR.heightMm),
    });
    at += MONITOR.bytes + 4 * body.readUInt16LE(at + MONITOR.outputs);
  }
  return monitors;
}
