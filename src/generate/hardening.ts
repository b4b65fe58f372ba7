import {
  connectorLifecycle,
  type Directives,
  serviceHardening,
  serviceLifecycle,
} from '../kernel/systemd/hardening.ts';
import { GENERATED_HEADER } from './nix-options.ts';
import { indent, nixKey, nixValue } from './nix-text.ts';

/** The table for the NixOS modules. */
export function hardeningFile(): string {
  const services = Object.entries({ ...serviceHardening, agentLifecycle: serviceLifecycle, connectorLifecycle }).map(
    ([name, directives]) => {
      const lines = Object.entries<Directives[string]>(directives)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => `${nixKey(key)} = ${nixValue(typeof value === 'object' ? [...value] : value)};`);
      return `${name} = {\n${indent(lines.join('\n'))}\n};`;
    },
  );
  return `${GENERATED_HEADER}{\n${indent(services.join('\n'))}\n}\n`;
}
