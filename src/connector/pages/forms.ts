import { consentForm } from './consent.ts';
import type { Form } from './define-form.ts';
import { changeNickForm } from './settings/change-nick.ts';
import { chooseNetworkForm } from './settings/choose-network.ts';
import { clearLoginForm } from './settings/clear-login.ts';
import { createTokenForm } from './settings/create-token.ts';
import { deleteHistoryForm } from './settings/delete-history.ts';
import { enableChannelsForm } from './settings/enable-channels.ts';
import { enterLoginForm } from './settings/enter-login.ts';
import { invitePersonForm } from './settings/invite-person.ts';
import { makeCertificateForm } from './settings/make-certificate.ts';
import { passOnLoginForm } from './settings/pass-on-login.ts';
import { removePersonForm } from './settings/remove-person.ts';
import { renameAgentForm } from './settings/rename-agent.ts';
import { replaceGrantsForm } from './settings/replace-grants.ts';
import { revokeAgentForm } from './settings/revoke-agent.ts';
import { revokeEventsForm } from './settings/revoke-events.ts';
import { switchPresenceForm } from './settings/switch-presence.ts';
import { tryLoginForm } from './settings/try-login.ts';
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
