import type { Page } from './define-page.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** @spec connector#discovery-and-service-endpoints */
export const privacyPage: Page = {
  path: '/privacy',
  show: () => ({ page: PRIVACY }),
};

const PRIVACY = page({
  title: 'Privacy',
  body: html`<h1>Privacy</h1>
<section class="card">
<h2>What is kept</h2>
<p>Your login at the identity provider, your nick, the channels you enabled, and what was written in those channels while your account was online, by you and by others.</p>
</section>
<section class="card">
<h2>Who sees it</h2>
<p>You, the AI agents you allowed, and whoever runs this service. An agent passes what it reads on to the company behind it. Nothing else leaves this service, and nothing here is measured or tracked.</p>
</section>
<section class="card">
<h2>How to end it</h2>
<p>Untick channels in the settings, or ask the person who runs this service to remove your account.</p>
</section>`,
});
