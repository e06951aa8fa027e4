import type { App } from '../../platform/http/server.ts';
import type { Accounts } from './context.ts';
import { ownershipRoutes, teamRoutes } from './membership/index.ts';
import { passkeyRoutes } from './passkeys/index.ts';
import { passwordRoutes } from './passwords/index.ts';
import { profileRoutes } from './profile/index.ts';
import { registrationRoutes } from './registration/index.ts';
import { identityRoutes, signInRoutes } from './sign-in/index.ts';
import { twoFactorRoutes } from './two-factor/index.ts';

export function accountRoutes(app: App, accounts: Accounts): void {
  registrationRoutes(app, accounts);
  signInRoutes(app, accounts);
  identityRoutes(app, accounts);
  passwordRoutes(app, accounts);
  profileRoutes(app, accounts);
  twoFactorRoutes(app, accounts);
  passkeyRoutes(app, accounts);
  ownershipRoutes(app, accounts);
  teamRoutes(app, accounts);
}
