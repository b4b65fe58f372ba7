import { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { seenNetwork } from './enter-login-form.ts';
import { done } from './result-notices.ts';

/** Makes the bouncer create a certificate, which identifies the person at the network in place of a password. */
export const makeCertificateForm = defineForm({
  path: '/settings/login/certificate',
  schema: z.object(seenNetwork),
  handle: async ({ network: name, address }, { deps, session }) => {
    await deps.services.makeLoginCertificate(session.accountId, { name, address });
    return done('certificate');
  },
});
