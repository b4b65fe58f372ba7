import { consentForm } from './consent.ts';
import type { Form } from './define-form.ts';
import { channelsForm } from './settings.ts';
import { signOutForm } from './sign-out.ts';

/** Every form that a browser may send. */
export const forms: readonly Form[] = [channelsForm, consentForm, signOutForm];
