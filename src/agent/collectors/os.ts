import type { Collector } from './collector.ts';
import { readOsRelease } from './release/os-release.ts';

/**
 * Name and version of the distribution; missing fields have the defaults of os-release(5).
 * @spec agent#resources-and-their-fields `os`
 */
export const os: Collector = {
  name: 'os',
  sections: ['os'],
  collect: async (host) => {
    const { ID: id = 'linux', VERSION_ID: versionId = '', NAME: name = 'Linux' } = await readOsRelease(host);
    return { sections: { os: { id, versionId, name } }, families: [] };
  },
};
