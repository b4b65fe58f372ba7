import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Logger } from '../../kernel/log.ts';
import { notServing } from '../errors.ts';
import { answerErrors, type PageRenderer } from './answer-errors.ts';
import { answerHealth } from './health.ts';
import { withReadableAddress } from './path-encoding.ts';
import { type Language, speak, speakToPrograms } from './requester.ts';

export interface StandbyOptions {
  isEnding(): boolean;
  /** Path → the form in which programs get refusals there; on all other paths the `Accept` header decides. */
  languages: Readonly<Record<string, Language>>;
  renderPage: PageRenderer;
  log: Logger;
}

const refuse: RequestHandler = () => {
  throw notServing();
};

/**
 * Serves while another process has the database: it answers health checks, and refuses all other requests in the form
 * of their routes.
 */
export function createStandbyApp({ isEnding, languages, renderPage, log }: StandbyOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.get(
    '/healthz',
    answerHealth(() => (isEnding() ? 'ending' : 'standby')),
  );
  for (const [path, language] of Object.entries(languages)) {
    app.use(path, language === 'oauth' ? speak(language) : speakToPrograms(language));
  }
  app.use(refuse);
  app.use(answerErrors(log, renderPage));
  return withReadableAddress(app);
}
