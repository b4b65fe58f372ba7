import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { ACCOUNT as AGENT_ACCOUNT, FIRST_CONFIG as AGENT_CONFIG } from '../../../src/agent/install/installation.ts';
import { SOJU_GROUP_ENTRY } from '../../../src/connector/install/connector-installation.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { addonFile } from '../../build/sqlite-addon.ts';
import type { Processor } from '../addons.ts';
import { copied, copiedFolder, linked, manualPage, type PackedFile, written } from './packed-files.ts';
import type { CompiledParts } from './stripped-parts.ts';

/** Folder of the programs. Their launchers look for Node.js and koffi in `node_modules` there, as in a checkout. */
const LIBRARY = 'usr/lib/homeport';

/** A package's description for dpkg, and its files. */
export interface DebianPackage {
  name: string;
  /** It has the same files on every processor. */
  isIndependent: boolean;
  section: string;
  synopsis: string;
  /** Lines of text; an empty one begins a paragraph. */
  description: readonly string[];
  /** Further fields: how it depends on others, without the libraries that its files need. */
  relations: Readonly<Record<string, string>>;
  files: readonly PackedFile[];
  /** Licences and notices beside Homeport's own. */
  notices: readonly string[];
}

/** Alternatives that make accounts, also where systemd does not run. */
const SYSUSERS = 'systemd | systemd-standalone-sysusers | systemd-sysusers';

/** The package of Node.js and those of the programs, for one kind of machine. */
export function debianPackages(version: string, processor: Processor, parts: CompiledParts): DebianPackage[] {
  const node = `homeport-node (= ${version})`;
  return [
    nodePackage(processor, parts),
    connectorPackage(node, processor, parts),
    agentPackage(node),
    terminalPackage(node),
  ];
}

function nodePackage(processor: Processor, parts: CompiledParts): DebianPackage {
  const modules = `${LIBRARY}/node_modules`;
  return {
    name: 'homeport-node',
    isIndependent: false,
    section: 'javascript',
    synopsis: 'Node.js for the programs of Homeport',
    description: [
      'The version of Node.js that Homeport is built and tested with, and koffi,',
      'which calls C libraries from it. Programs of Homeport alone use them: no',
      'command is added to the machine. The guides to all programs come along.',
    ],
    relations: {},
    files: [
      copied(parts.node, `${modules}/node-linux-${processor}/bin/node`),
      linked(`${modules}/.bin/node`, `../node-linux-${processor}/bin/node`),
      copied(parts.koffi, `${modules}/@koromix/koffi-linux-${processor}/linux_${processor}/koffi.node`),
      ...guides(),
    ],
    notices: [readFileSync(parts.nodeLicence, 'utf8'), `koffi\n\n${readFileSync('node_modules/koffi/LICENSE.txt')}`],
  };
}

function connectorPackage(node: string, processor: Processor, { addon }: CompiledParts): DebianPackage {
  return {
    name: 'homeport-connector',
    isIndependent: false,
    section: 'net',
    synopsis: 'IRC for AI agents, over the Model Context Protocol',
    description: [
      'A service by which AI agents read and write IRC channels: each person signs',
      'in at an identity provider, chooses channels and lets agents in by OAuth.',
      'The bouncer soju keeps the connections to IRC, and SQLite or PostgreSQL the',
      'history.',
      '',
      'The service is off until "homeport-connector install-units" has checked its',
      'configuration.',
    ],
    relations: { Depends: `${node}, ${SYSUSERS}`, Suggests: 'soju (>= 0.9), caddy, postgresql' },
    files: [
      ...programFiles('homeport-connector', 'dist/connector.mjs'),
      copied(addon, `${LIBRARY}/${addonFile(processor)}`),
      ...manuals('homeport-connector', 1, 5),
      ...monitoring('homeport-connector'),
      written('usr/lib/sysusers.d/homeport-connector.conf', `${SOJU_GROUP_ENTRY}\n`),
      written(
        'usr/share/doc/homeport-connector/examples/connector.json',
        `${JSON.stringify(exampleConfig, null, 2)}\n`,
      ),
    ],
    notices: [readFileSync('dist/connector.notices.txt', 'utf8')],
  };
}

function agentPackage(node: string): DebianPackage {
  return {
    name: 'homeport-agent',
    isIndependent: true,
    section: 'admin',
    synopsis: 'report of the state of this host',
    description: [
      'A service that tells hubs and Prometheus how this host is: load, memory,',
      'file systems, failed units, updates, mail queue, zones and tunnels. It needs',
      'no rights of root.',
      '',
      'The service is off until "homeport-agent install-units" has checked its',
      'configuration.',
    ],
    relations: { Depends: `${node}, ${SYSUSERS}`, Recommends: 'dbus', Enhances: 'prometheus' },
    files: [
      ...programFiles('homeport-agent', 'dist/agent.cjs'),
      ...manuals('homeport-agent', 1, 5),
      ...monitoring('homeport-agent'),
      written('usr/lib/sysusers.d/homeport-agent.conf', `${AGENT_ACCOUNT}\n`),
      written('etc/homeport/agent.json', `${JSON.stringify(AGENT_CONFIG, null, 2)}\n`),
    ],
    notices: [readFileSync('dist/agent.notices.txt', 'utf8')],
  };
}

function terminalPackage(node: string): DebianPackage {
  return {
    name: 'termprog',
    isIndependent: true,
    section: 'x11',
    synopsis: 'terminal for X11 that X resources configure, as they do xterm',
    description: [
      'A terminal emulator that takes the resources, options, translations and',
      'control sequences of xterm, with outline fonts, emoji, shell integration and',
      'a font menu of its own.',
    ],
    relations: {
      Depends: node,
      Recommends: 'fonts-dejavu-core | fonts-freefont-ttf, libfontconfig1, libfreetype6, libharfbuzz0b, xfonts-base',
      Suggests: 'fonts-noto-cjk, fonts-noto-color-emoji',
      Provides: 'x-terminal-emulator',
    },
    files: [
      ...programFiles('termprog', 'dist/termprog.cjs'),
      ...copiedFolder('dist/termprog-parts', `${LIBRARY}/dist/termprog-parts`),
      ...manuals('termprog', 1),
      copied('share/X11/app-defaults/Term', 'etc/X11/app-defaults/Term'),
      copied('share/termprog/example.Xresources', 'usr/share/termprog/example.Xresources'),
      ...copiedFolder('share/termprog/shell-integration', 'usr/share/termprog/shell-integration'),
      copied('share/applications/termprog.desktop', 'usr/share/applications/termprog.desktop'),
      copied(
        'share/metainfo/org.example.termprog.metainfo.xml',
        'usr/share/metainfo/org.example.termprog.metainfo.xml',
      ),
      ...copiedFolder('share/icons', 'usr/share/icons'),
      copied('share/terminfo/t/termprog', 'usr/share/terminfo/t/termprog'),
    ],
    notices: [readFileSync('dist/termprog.notices.txt', 'utf8')],
  };
}

/** The command, its launcher and its bundle, its completions and its bill of materials. */
function programFiles(name: string, bundle: string): PackedFile[] {
  const bill = bundle.replace(/\.\w+$/, '.cdx.json');
  return [
    linked(`usr/bin/${name}`, `../lib/homeport/bin/${name}`),
    copied(`bin/${name}`, `${LIBRARY}/bin/${name}`),
    copied(bundle, `${LIBRARY}/${bundle}`),
    copied(bill, `usr/share/doc/${name}/${name}.cdx.json`),
    linked(`usr/share/doc/${name}/guides`, '../homeport-node/docs/guides'),
    copied(`share/bash-completion/completions/${name}`, `usr/share/bash-completion/completions/${name}`),
    copied(`share/zsh/site-functions/_${name}`, `usr/share/zsh/vendor-completions/_${name}`),
    copied(`share/fish/vendor_completions.d/${name}.fish`, `usr/share/fish/vendor_completions.d/${name}.fish`),
  ];
}

/**
 * The documentation without its pictures, once for all programs. It is in the folders of the repository, so that links
 * from page to page work.
 */
function guides(): PackedFile[] {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CHANGELOG.md', ...pages.map((name) => `docs/${name}`)].map((path) =>
    copied(path, `usr/share/doc/homeport-node/${path}`),
  );
}

const manuals = (name: string, ...sections: number[]): PackedFile[] =>
  sections.map((section) => manualPage(`share/man/man${section}/${name}.${section}`));

/** Dashboard and alerts of a service. */
const monitoring = (name: string): PackedFile[] =>
  [`grafana/${name}.json`, `prometheus/${name}.rules.yml`]
    .filter((file) => existsSync(`share/${file}`))
    .map((file) => copied(`share/${file}`, `usr/share/${name}/${file}`));
