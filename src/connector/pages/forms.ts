import { consentForm } from './consent.ts';
import type { Form } from './define-form.ts';
import { changeNickForm } from './settings/change-nick-form.ts';
import { chooseNetworkForm } from './settings/choose-network-form.ts';
import { clearLoginForm } from './settings/clear-login-form.ts';
import { createTokenForm } from './settings/create-token-form.ts';
import { deleteHistoryForm } from './settings/delete-history-form.ts';
import { enableChannelsForm } from './settings/enable-channels-form.ts';
import { enterLoginForm } from './settings/enter-login-form.ts';
import { invitePersonForm } from './settings/invite-person-form.ts';
import { makeCertificateForm } from './settings/make-certificate-form.ts';
import { passOnLoginForm } from './settings/pass-on-login-form.ts';
import { removePersonForm } from './settings/remove-person-form.ts';
import { renameAgentForm } from './settings/rename-agent-form.ts';
import { replaceGrantsForm } from './settings/replace-grants-form.ts';
import { revokeAgentForm } from './settings/revoke-agent-form.ts';
import { revokeEventsForm } from './settings/revoke-events-form.ts';
import { switchPresenceForm } from './settings/switch-presence-form.ts';
import { tryLoginForm } from './settings/try-login-form.ts';
import { signOutForm } from './sign-out.ts';

/** Every form that a browser may send. */
export const forms: readonly Form[] = [
  changeNickForm,
  chooseNetworkForm,
  clearLoginForm,
  consentForm,
  createTokenForm,
  deleteHistoryForm,
  enableChannelsForm,
  enterLoginForm,
  invitePersonForm,
  makeCertificateForm,
  passOnLoginForm,
  removePersonForm,
  renameAgentForm,
  replaceGrantsForm,
  revokeAgentForm,
  revokeEventsForm,
  signOutForm,
  switchPresenceForm,
  tryLoginForm,
];
