/** A subject of the navigation, with its pages by their paths in the site, without `.md`. */
interface Subject {
  text: string;
  /** Path of a page -> its title in the navigation, which is shorter than its heading. */
  pages: Readonly<Record<string, string>>;
}

export const subjects: readonly Subject[] = [
  {
    text: 'Start',
    pages: {
      index: 'Overview',
      'guides/which-part': 'Which part do I need?',
      'try-it': 'Try it',
      'guides/package': 'Install',
      'guides/upgrading': 'Upgrading',
      'guides/threat-model': 'Threat model',
      changelog: 'Changes',
    },
  },
  {
    text: 'Connector',
    pages: {
      'guides/connector-service': 'As a service',
      'guides/container': 'In a container',
      'guides/identity-providers': 'Identity providers',
      'guides/proxies': 'nginx and Caddy',
      'guides/postgresql': 'PostgreSQL',
      'guides/scale': 'One process or several',
      'guides/move-to-postgresql': 'From SQLite to PostgreSQL',
      'guides/connect-agents': 'Connect an agent',
      'guides/webhooks': 'Mentions that wake an agent',
      'guides/network-login': 'Log in at the IRC network',
      'guides/tried-clients': 'Clients that were tried',
    },
  },
  {
    text: 'Clients of the connector',
    pages: {
      'guides/client-chatgpt': 'ChatGPT',
      'guides/client-claude': 'Claude and Claude Code',
      'guides/client-codex': 'Codex',
      'guides/client-cursor': 'Cursor',
      'guides/client-gemini': 'Gemini CLI',
      'guides/client-opencode': 'OpenCode',
      'guides/client-vs-code': 'VS Code',
    },
  },
  {
    text: 'Agent',
    pages: {
      'guides/agent-service': 'As a service',
      'guides/agent-sockets': 'Sockets, and units of users',
      'guides/prometheus': 'Prometheus and Grafana',
      'guides/hub': 'A hub',
    },
  },
  {
    text: 'termprog',
    pages: {
      'guides/terminal': 'Using termprog',
      'guides/shell-integration': 'Search and prompts',
      'guides/terminal-programs': 'tmux, neovim and ssh',
    },
  },
  { text: 'NixOS', pages: { 'guides/nixos-checks': 'Checks of the modules' } },
  {
    text: 'Operation',
    pages: {
      'guides/backup': 'Backup and restore',
      'guides/keys': 'Replace keys',
      'guides/faults': 'Faults: connector',
      'guides/agent-faults': 'Faults: agent',
    },
  },
  {
    text: 'Reference',
    pages: {
      options: 'Options and resources',
      errors: 'Errors',
      'control-functions': 'Control functions',
      'terminal-beside-xterm': 'termprog beside xterm',
      'specification/connector': 'Specification: connector',
      'specification/agent': 'Specification: agent',
      'specification/termprog': 'Specification: termprog',
      architecture: 'Architecture',
      glossary: 'Glossary',
      'decisions/index': 'Decisions',
    },
  },
];

/** Path of a page in the site -> its address below the base. */
export const addressOf = (page: string): string => `/${page.replace(/(^|\/)index$/, '$1')}`;

/** Folder of pages that are so many that they have a navigation of their own. */
export const DECISIONS = 'decisions/';

interface Item {
  text: string;
  link: string;
}

interface Group {
  text: string;
  items: Item[];
}

/** The navigation of all pages but decisions. */
export function mainSidebar(): Group[] {
  return subjects.map(({ text, pages }) => ({
    text,
    items: Object.entries(pages).map(([page, title]) => ({ text: title, link: addressOf(page) })),
  }));
}

/** The navigation beside decisions: their pages, in the order of their names. */
export function decisionsSidebar(decisions: readonly { page: string; heading: string }[]): Group[] {
  const items = decisions
    .toSorted((a, b) => a.page.localeCompare(b.page))
    .map(({ page, heading }) => ({ text: heading, link: addressOf(page) }));
  return [
    { text: 'Homeport', items: [{ text: 'Overview', link: '/' }] },
    { text: 'Decisions', items: [{ text: 'Subjects and numbers', link: `/${DECISIONS}` }, ...items] },
  ];
}
