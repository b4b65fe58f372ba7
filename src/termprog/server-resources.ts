import type { XConnection } from './x11/x-connection.ts';
import type { ResourceHost } from './xresource/sources.ts';

/** The resources that `xrdb` stored in the server. */
export interface ServerResources {
  /** Properties of root windows; undefined when unset. */
  properties: Pick<ResourceHost, 'resourceManager' | 'screenResources'>;
  /** Faults in them, a line each. */
  problems: readonly string[];
}

/** Predefined atoms; X11 protocol, Appendix B. */
const RESOURCE_MANAGER = 23;
const STRING = 31;

/** Reads the server's resources: those of all screens, stored at the first one, and those of this screen. */
export async function readServerResources(connection: XConnection): Promise<ServerResources> {
  const { firstRoot, screen } = connection;
  const problems: string[] = [];
  const read = async (window: number, atom: number, name: string): Promise<string | undefined> => {
    let isCut = false;
    const text = await connection.readProperty(window, atom, STRING, () => {
      isCut = true;
    });
    if (text === undefined || !isCut) return text;
    // The last line is incomplete.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    problems.push(`resources of ${name}: only the first ${whole.length} bytes have an effect; the rest is not read`);
    return whole;
  };
  const [resourceManager, screenResources] = await Promise.all([
    read(firstRoot, RESOURCE_MANAGER, 'RESOURCE_MANAGER'),
    // If the atom does not exist, the property was never set; this saves a round trip.
    connection
      .internAtom('SCREEN_RESOURCES', { onlyIfExists: true })
      .then((atom) => (atom === 0 ? undefined : read(screen.root, atom, 'SCREEN_RESOURCES'))),
  ]);
  return { properties: { resourceManager, screenResources }, problems };
}
