import packageJson from '../../package.json' with { type: 'json' };

/** Version of this Homeport, of all three programs. */
export const VERSION: string = packageJson.version;
