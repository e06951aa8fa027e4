// Written by `npm run generate` from the description of the API.
export interface paths {
    "/api/v1/security/auth/altcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A challenge for a proof of work
         * @description For anybody: no token is needed.
         */
        get: operations["getAltchaChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a person and, once confirmed, their team
         * @description For anybody: no token is needed.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the address with the mailed code
         * @description For anybody: no token is needed.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a new code
         * @description For anybody: no token is needed.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description For anybody: no token is needed.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the tokens, by body or cookie
         * @description For anybody: no token is needed.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description For a person who is signed in.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one’s sessions, the one last used first
         * @description For a person who is signed in.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of one’s own
         * @description For a person who is signed in.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link that sets a new password
         * @description For anybody: no token is needed.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the mailed link’s token
         * @description For anybody: no token is needed.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password; every other session ends
         * @description For a person who is signed in.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who one is
         * @description For a person who is signed in with the scope `profile:read`.
         */
        get: operations["getProfile"];
        /**
         * Change one’s profile
         * @description For a person who is signed in with the scope `profile:write`.
         */
        put: operations["updateProfile"];
        post?: never;
        /**
         * Delete one’s account; a sole owner’s team is closed
         * @description For a person who is signed in with the scope `profile:write`.
         */
        delete: operations["deleteProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/profile/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one is told of by mail, and when
         * @description For a person who is signed in with the scope `profile:read`.
         */
        get: operations["getNotificationSettings"];
        /**
         * Choose what one is told of by mail, and when
         * @description For a person who is signed in with the scope `profile:write`.
         */
        put: operations["updateNotificationSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with the second factor
         * @description For anybody: no token is needed.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove again who one is, for what is sensitive (RFC 9470)
         * @description For a person who is signed in.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/2fa/enable-init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up two-factor authentication
         * @description For a person who is signed in.
         */
        post: operations["beginTwoFactorSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/2fa/enable-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor authentication on with the first code; other sessions end
         * @description For a person who is signed in.
         */
        post: operations["confirmTwoFactorSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/2fa/regenerate-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the backup codes
         * @description For a person who is signed in.
         */
        post: operations["regenerateBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor authentication off
         * @description For a person who is signed in.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one’s passkeys
         * @description For a person who is signed in.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Register a passkey; as the first second factor it turns two-factor authentication on
         * @description For a person who is signed in.
         */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to register a passkey
         * @description For a person who is signed in.
         */
        post: operations["getPasskeyRegistrationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a passkey of one’s own
         * @description For a person who is signed in.
         */
        get: operations["getPasskey"];
        put?: never;
        post?: never;
        /**
         * Delete a passkey; it signs in no more
         * @description For a person who is signed in.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description For a person who is signed in.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/v1/security/auth/passkeys/login/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in by passkey alone
         * @description For anybody: no token is needed.
         */
        post: operations["getPasskeyLoginOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/passkeys/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by passkey alone
         * @description For anybody: no token is needed.
         */
        post: operations["loginWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/verify-passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to complete a sign-in with a passkey as the second factor
         * @description For anybody: no token is needed.
         */
        post: operations["getVerifyPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/verify-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a passkey as the second factor
         * @description For anybody: no token is needed.
         */
        post: operations["verifyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/reauthenticate/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to prove again who one is, with a passkey
         * @description For a person who is signed in.
         */
        post: operations["getReauthenticationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/transfer-ownership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another member the owner of the team
         * @description For a person who is signed in.
         */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/profile/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new e-mail address with the code that was mailed to it
         * @description For a person who is signed in with the scope `profile:write`.
         */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in as staff
         * @description For anybody: no token is needed.
         */
        post: operations["staffLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in of staff with the second factor
         * @description For anybody: no token is needed.
         */
        post: operations["verifyStaffTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the tokens of staff, by body or cookie
         * @description For anybody: no token is needed.
         */
        post: operations["refreshStaff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session of staff
         * @description For staff of the service.
         */
        post: operations["staffLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which member of staff one is
         * @description For staff of the service.
         */
        get: operations["getStaffProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove again who one is (RFC 9470)
         * @description For staff of the service.
         */
        post: operations["reauthenticateStaff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/set-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with the token of a link
         * @description For anybody: no token is needed.
         */
        post: operations["setStaffPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/totp/setup-init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up the second factor
         * @description For staff of the service.
         */
        post: operations["beginStaffTotpSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/totp/setup-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor on with its first code
         * @description For staff of the service.
         */
        post: operations["confirmStaffTotpSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/totp/regenerate-backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the backup codes
         * @description For staff of the service.
         */
        post: operations["regenerateStaffBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/staff/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor off
         * @description For staff of the service.
         */
        post: operations["disableStaffTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams, newest first
         * @description For staff of the service.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A team
         * @description For staff of the service.
         */
        get: operations["getTeamAsStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/teams/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a team: its members and clients are shut out at once
         * @description For staff of the service.
         */
        post: operations["suspendTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/teams/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a suspended team
         * @description For staff of the service.
         */
        post: operations["restoreTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/teams/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a team has used of its quotas
         * @description For staff of the service.
         */
        get: operations["getTeamQuotas"];
        /**
         * Change quotas of a team: those that are named; null for what the settings say
         * @description For staff of the service.
         */
        put: operations["updateTeamQuotas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, newest first
         * @description For staff of the service.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user
         * @description For staff of the service.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/users/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user back the tries that were used up
         * @description For staff of the service.
         */
        post: operations["unlockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/users/{id}/disable-2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a user’s second factor off; their sessions end
         * @description For staff of the service.
         */
        post: operations["disableTwoFactorOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/users/{id}/revoke-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a user out everywhere
         * @description For staff of the service.
         */
        post: operations["revokeSessionsOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the journal of the service itself: staff and their sign-ins
         * @description For staff of the service.
         */
        get: operations["listServiceJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/clients/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API clients
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["listApiClients"];
        put?: never;
        /**
         * Make an API client
         * @description For a person who is signed in with the scope `team:write`.
         */
        post: operations["createApiClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API client
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["getApiClient"];
        put?: never;
        post?: never;
        /**
         * Delete an API client and end its tokens
         * @description For a person who is signed in with the scope `team:write`.
         */
        delete: operations["deleteApiClient"];
        options?: never;
        head?: never;
        /**
         * Change an API client
         * @description For a person who is signed in with the scope `team:write`.
         */
        patch: operations["updateApiClient"];
        trace?: never;
    };
    "/api/v1/security/clients/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API client a new secret; the one before works a while longer
         * @description For a person who is signed in with the scope `team:write`.
         */
        post: operations["rotateApiClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/clients/{id}/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer for an API client from now on; one that waited for that works again
         * @description For a person who is signed in with the scope `team:write`.
         */
        post: operations["takeOverApiClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How tokens are got here (RFC 8414)
         * @description For anybody: no token is needed.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whose tokens are taken here (RFC 9728)
         * @description For anybody: no token is needed.
         */
        get: operations["getProtectedResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one’s team
         * @description For a person or API client with the scope `team:read`.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the team’s name, time zone or settings
         * @description For a person who is signed in with the scope `team:write`.
         */
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/api/v1/team/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the team has used of each of its quotas
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["getTeamUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the team; signing in again goes on in a new one of one’s own
         * @description For a person who is signed in with the scope `profile:write`.
         */
        post: operations["leaveTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the team’s people
         * @description For a person or API client with the scope `team:read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description For a person or API client with the scope `team:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member, who goes on in a new team of their own
         * @description For a person who is signed in with the scope `team:write`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role, suspend or reactivate them
         * @description For a person who is signed in with the scope `team:write`.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/team/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations that wait, or those of other states
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an address by mail
         * @description For a person or API client with the scope `team:write`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invitation
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * End an invitation
         * @description For a person or API client with the scope `team:write`.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a new link; the one before is void
         * @description For a person or API client with the scopes `team:write`, `team:read`.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations that wait for one’s own address
         * @description For a person who is signed in with the scope `profile:read`.
         */
        get: operations["listWaitingInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an invitation’s link opens
         * @description For anybody: no token is needed.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation: signed in with the invited address, or registering with it
         * @description For anybody, signed in or not.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections to providers
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["listSsoConnections"];
        put?: never;
        /**
         * Connect a provider
         * @description For a person who is signed in with the scope `team:write`.
         */
        post: operations["createSsoConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/sso/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a connection
         * @description For a person or API client with the scope `team:read`, for owner, admin.
         */
        get: operations["getSsoConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a connection
         * @description For a person who is signed in with the scope `team:write`.
         */
        delete: operations["deleteSsoConnection"];
        options?: never;
        head?: never;
        /**
         * Change a connection
         * @description For a person who is signed in with the scope `team:write`.
         */
        patch: operations["updateSsoConnection"];
        trace?: never;
    };
    "/api/v1/team/sso/{id}/verify-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for the proofs of a connection’s domains in the DNS
         * @description For a person who is signed in with the scope `team:write`.
         */
        post: operations["verifySsoDomains"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/sso/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in through the provider of a team
         * @description For anybody: no token is needed.
         */
        get: operations["startSsoLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/auth/sso/callback/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where a provider sends people back
         * @description For anybody: no token is needed.
         */
        get: operations["finishSsoLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one’s own folders and those shared
         * @description For a person or API client with the scope `folders:read`.
         */
        get: operations["listFolders"];
        put?: never;
        /**
         * Create a folder
         * @description For a person or API client with the scope `folders:write`.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a folder
         * @description For a person or API client with the scope `folders:read`.
         */
        get: operations["getFolder"];
        /**
         * Change a folder
         * @description For a person or API client with the scopes `folders:write`, `folders:read`.
         */
        put: operations["updateFolder"];
        post?: never;
        /**
         * Move a folder to the bin
         * @description For a person or API client with the scope `folders:write`.
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move a folder under another, or to the top with null
         * @description For a person or API client with the scopes `folders:write`, `folders:read`.
         */
        patch: operations["moveFolder"];
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a folder out of the bin
         * @description For a person or API client with the scopes `folders:write`, `folders:read`.
         */
        post: operations["restoreFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who a folder is shared with
         * @description For a person or API client with the scope `folders:read`.
         */
        get: operations["listFolderShares"];
        put?: never;
        /**
         * Share a folder and all below it
         * @description For a person or API client with the scopes `folders:write`, `folders:read`.
         */
        post: operations["shareFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/shares/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a share
         * @description For a person or API client with the scope `folders:write`.
         */
        delete: operations["deleteFolderShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who may see a folder, why and since when
         * @description For a person or API client with the scope `folders:read`.
         */
        get: operations["listFolderAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/access/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke what was given: a share of the folder
         * @description For a person or API client with the scope `folders:write`.
         */
        delete: operations["revokeFolderGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/wall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is inside of a folder’s wall
         * @description For a person who is signed in with the scope `folders:read`.
         */
        get: operations["getFolderWall"];
        /**
         * Put a wall around a folder, or name anew who is inside
         * @description For a person who is signed in with the scope `folders:write`.
         */
        put: operations["putFolderWall"];
        post?: never;
        /**
         * Lift the wall of a folder
         * @description For a person who is signed in with the scope `folders:write`.
         */
        delete: operations["deleteFolderWall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/wall/openings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who asked to break the glass
         * @description For a person who is signed in with the scope `folders:read`.
         */
        get: operations["listWallOpenings"];
        put?: never;
        /**
         * Ask, as an administrator, to break the glass
         * @description For a person who is signed in with the scope `folders:write`.
         */
        post: operations["requestWallOpening"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/folders/{id}/wall/openings/{openingId}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Consent to another’s request: for 24 hours they are inside
         * @description For a person who is signed in with the scope `folders:write`.
         */
        post: operations["consentToWallOpening"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Create a document, as JSON or as multipart/form-data with the part `file`
         * @description For a person or API client with the scope `documents:write`.
         */
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what of documents is in the bin
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["listDocumentBin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["getDocument"];
        /**
         * Change a document
         * @description For a person or API client with the scopes `documents:write`, `documents:read`.
         */
        put: operations["updateDocument"];
        post?: never;
        /**
         * Move a document to the bin
         * @description For a person or API client with the scope `documents:write`.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move a document into a folder, or out of any with null
         * @description For a person or API client with the scopes `documents:write`, `documents:read`.
         */
        patch: operations["moveDocument"];
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a document, newest first
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["listDocumentVersions"];
        put?: never;
        /**
         * Upload the next version, as multipart/form-data with the part `file`
         * @description For a person or API client with the scopes `documents:write`, `documents:read`.
         */
        post: operations["uploadDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the newest version, or the one asked for
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a document out of the bin
         * @description For a person or API client with the scopes `documents:write`, `documents:read`.
         */
        post: operations["restoreDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who may see a document, why and since when
         * @description For a person or API client with the scope `documents:read`.
         */
        get: operations["listDocumentAccess"];
        put?: never;
        /**
         * Give a document by itself to a member
         * @description For a person or API client with the scopes `documents:write`, `documents:read`.
         */
        post: operations["shareDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/smartdoc/documents/{id}/access/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke something that was given of a document
         * @description For a person or API client with the scope `documents:write`.
         */
        delete: operations["revokeDocumentGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description For a person or API client with the scope `tasks:read`.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Give somebody a task
         * @description For a person or API client with the scope `tasks:write`, for owner, admin, member.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task
         * @description For a person or API client with the scope `tasks:read`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a task, with an outcome
         * @description For a person or API client with the scopes `tasks:write`, `tasks:read`.
         */
        post: operations["completeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a signature that was given, or declined, outside the service
         * @description For a person who is signed in with the scope `tasks:write`.
         */
        post: operations["recordTaskSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a task to another member
         * @description For a person or API client with the scopes `tasks:write`, `tasks:read`, for owner, admin, member.
         */
        post: operations["reassignTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete several tasks, each with its outcome
         * @description For a person or API client with the scopes `tasks:write`, `tasks:read`.
         */
        post: operations["completeTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give several tasks to other members
         * @description For a person or API client with the scopes `tasks:write`, `tasks:read`, for owner, admin, member.
         */
        post: operations["reassignTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the comments on a task
         * @description For a person or API client with the scope `tasks:read`.
         */
        get: operations["listTaskComments"];
        put?: never;
        /**
         * Comment on a task
         * @description For a person or API client with the scopes `tasks:write`, `tasks:read`, for owner, admin, member.
         */
        post: operations["createTaskComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow, as a draft
         * @description For a person or API client with the scope `workflows:write`.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active workflows
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listActiveWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List overdue workflows
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listOverdueWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/document/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows of a document
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listDocumentWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/templates/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the templates
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listWorkflowTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a template of the team’s own
         * @description For a person or API client with the scope `workflows:write`.
         */
        post: operations["createWorkflowTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a template
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["getWorkflowTemplate"];
        /**
         * Change a template of the team’s own
         * @description For a person or API client with the scopes `workflows:write`, `workflows:read`.
         */
        put: operations["updateWorkflowTemplate"];
        /**
         * Create a workflow from a template
         * @description For a person or API client with the scopes `workflows:write`, `workflows:read`.
         */
        post: operations["createWorkflowFromTemplate"];
        /**
         * Remove a template of the team’s own
         * @description For a person or API client with the scope `workflows:write`.
         */
        delete: operations["deleteWorkflowTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["getWorkflow"];
        /**
         * Change a workflow
         * @description For a person or API client with the scopes `workflows:write`, `workflows:read`.
         */
        put: operations["updateWorkflow"];
        post?: never;
        /**
         * Delete a workflow that is not under way
         * @description For a person or API client with the scope `workflows:write`.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who sees a workflow, and why
         * @description For a person or API client with the scope `workflows:read`.
         */
        get: operations["listWorkflowAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a draft
         * @description For a person or API client with the scopes `workflows:write`, `workflows:read`.
         */
        post: operations["startWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an active workflow
         * @description For a person or API client with the scope `workflows:write`.
         */
        post: operations["pauseWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a paused workflow go on
         * @description For a person or API client with the scope `workflows:write`.
         */
        post: operations["resumeWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a workflow
         * @description For a person or API client with the scope `workflows:write`.
         */
        post: operations["cancelWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description For a person or API client with the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that endpoints can subscribe to
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint and cancel what waits for it
         * @description For a person or API client with the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description For a person or API client with the scope `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description For a person or API client with the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of a webhook endpoint
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["getWebhookSettings"];
        /**
         * Change the settings of a webhook endpoint
         * @description For a person or API client with the scope `webhooks:write`.
         */
        put: operations["updateWebhookSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a delivery
         * @description For a person or API client with the scope `webhooks:read`.
         */
        get: operations["listDeliveryAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/payload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Expunge the payload of a delivery and keep the rest of the log
         * @description For a person who is signed in with the scope `webhooks:write`.
         */
        delete: operations["expungeDeliveryPayload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, or now
         * @description For a person or API client with the scope `webhooks:write`.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description For a person or API client with the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what failed or was missed since a time
         * @description For a person or API client with the scope `webhooks:write`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit journal, newest first
         * @description For a person or API client with the scope `audit:read`.
         */
        get: operations["listAuditJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/audit/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed checkpoint of the journal’s tree
         * @description For a person or API client with the scope `audit:read`.
         */
        get: operations["getAuditCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/audit/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that the journal’s tree of one size begins with that of another
         * @description For a person or API client with the scope `audit:read`.
         */
        get: operations["getAuditConsistencyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the journal with proofs, as lines of JSON that verify without the service
         * @description For a person or API client with the scope `audit:read`.
         */
        get: operations["exportAuditJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/audit/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an entry is a leaf of the journal’s tree
         * @description For a person or API client with the scope `audit:read`.
         */
        get: operations["getAuditInclusionProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tlog/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed checkpoint of the audit journal’s tree (C2SP tlog-checkpoint)
         * @description For anybody: no token is needed.
         */
        get: operations["getTlogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tlog/tile/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of the audit journal’s tree, or a bundle of its entries’ commitments (C2SP tlog-tiles)
         * @description For anybody: no token is needed.
         */
        get: operations["getTlogTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that verify access tokens
         * @description For anybody: no token is needed.
         */
        get: operations["getAccessTokenKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/witness-jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that verify the audit journal’s checkpoints
         * @description For anybody: no token is needed.
         */
        get: operations["getJournalKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/webhook-jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that verify the Ed25519 signatures of webhook deliveries
         * @description For anybody: no token is needed.
         */
        get: operations["getWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process is up
         * @description For anybody: no token is needed.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests can be served
         * @description For anybody: no token is needed.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/mail.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mails kept for development, newest first
         * @description For anybody: no token is needed.
         */
        get: operations["listDevelopmentMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token for an API client
         * @description For anybody: no token is needed.
         */
        post: operations["getClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an access token back before it ends
         * @description For anybody: no token is needed.
         */
        post: operations["revokeClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a token of one’s own is good for
         * @description For anybody: no token is needed.
         */
        post: operations["introspectClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "audit.entry.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An entry of the audit journal, as reading it shows it, once it is a leaf of the tree. `number` counts the team’s entries without a gap. Only for endpoints that name this type or `audit.*`.
         * @description Sent to endpoints that name it, which takes the scope `audit:read`.
         */
        post: operations["onAuditEntryRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A document was created.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A document was moved to the bin.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.moved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A document was moved to another folder, or out of any.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentMoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A document was taken out of the bin.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was given access to a document.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentShared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A document’s title, status or details changed.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.version_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file was uploaded as the newest version of a document.
         * @description Sent to endpoints that name it, which takes the scope `documents:read`.
         */
        post: operations["onDocumentVersionAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "folder.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder was created.
         * @description Sent to endpoints that name it, which takes the scope `folders:read`.
         */
        post: operations["onFolderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "folder.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder was deleted; everything in it went to the bin with it.
         * @description Sent to endpoints that name it, which takes the scope `folders:read`.
         */
        post: operations["onFolderDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "folder.moved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder was moved under another, or to the top.
         * @description Sent to endpoints that name it, which takes the scope `folders:read`.
         */
        post: operations["onFolderMoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "folder.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder was taken out of the bin, with what was deleted with it.
         * @description Sent to endpoints that name it, which takes the scope `folders:read`.
         */
        post: operations["onFolderRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "folder.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder’s name or details changed.
         * @description Sent to endpoints that name it, which takes the scope `folders:read`.
         */
        post: operations["onFolderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.invited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Somebody was invited to join the team.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onMemberInvited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person became a member of the team.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onMemberJoined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person left the team, was removed from it, or deleted their account; `successorId` has taken over their tasks, workflows and folders.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onMemberRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A member’s role in the team changed.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onMemberRoleChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A quota of the team is used up: what is more is refused or delayed. Said at most once an hour for each quota.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onQuotaExceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was given to another person.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was completed.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task was created, by a person or by a workflow.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task is past its due date; announced once.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskOverdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A review, approval or signature was refused, or changes were asked for.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.unassigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A review, approval or signature waits for nobody: whoever it was given to has left, and nobody may decide in their place. An administrator passes it on.
         * @description Sent to endpoints that name it, which takes the scope `tasks:read`.
         */
        post: operations["onTaskUnassigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team.ownership_transferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The team has another owner; the former one is an administrator now.
         * @description Sent to endpoints that name it, which takes the scope `team:read`.
         */
        post: operations["onTeamOwnershipTransferred"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An endpoint was switched off: it answered 410 Gone, or nothing was delivered to it for five days.
         * @description Sent to endpoints that name it, which takes the scope `webhooks:read`.
         */
        post: operations["onWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.secret_rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An endpoint got a new secret; until `previousSecretUntil` deliveries carry a signature by the old one too.
         * @description Sent to endpoints that name it, which takes the scope `webhooks:read`.
         */
        post: operations["onWebhookSecretRotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sent on request to one endpoint, whatever it subscribes to, to try it out.
         * @description Sent to endpoints that name it, which takes the scope `webhooks:read`.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was cancelled.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All steps of a workflow are done.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was created, as a draft.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow is past its due date; announced once.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowOverdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was paused.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A review or approval was refused, and the workflow ended.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A paused workflow goes on.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was started.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.step.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A step of a workflow has begun.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowStepActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.step.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A step of a workflow is done.
         * @description Sent to endpoints that name it, which takes the scope `workflows:read`.
         */
        post: operations["onWorkflowStepCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptInvitationRequest: {
            token?: string;
            /**
             * Format: uuid
             * @description Instead of `token`, signed in: of an invitation that waits for one’s address
             */
            invitationId?: string;
            firstName?: string;
            lastName?: string;
            password?: string;
        };
        AccessGrant: {
            /** @description What can be revoked has one */
            id?: string;
            /** @description Absent when it is the whole team */
            userId?: string;
            /** @enum {boolean} */
            team?: true;
            /** @enum {string} */
            access: "read" | "write";
            /** @enum {string} */
            reason: "owner" | "share" | "task" | "record" | "role";
            /** @description The folder whose share it is */
            folderId?: string;
            taskId?: string;
            grantedBy?: string;
            /** Format: date-time */
            since?: string;
            /** @description The version that a record covers; 0 where there was none */
            version?: number;
            /**
             * @description Opens nothing now: whoever gave it may not let others read the document any more
             * @enum {boolean}
             */
            inactive?: true;
            /**
             * @description A wall keeps this person out for as long as it stands
             * @enum {boolean}
             */
            walled?: true;
        };
        AccessList: {
            grants: components["schemas"]["AccessGrant"][];
            /** @description What administrators did with it by their role alone, the newest 500 */
            readings: {
                id: string;
                type: string;
                userId: string;
                /** Format: date-time */
                at: string;
                version?: number;
            }[];
        };
        AccessToken: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
            scope: string;
        };
        ApiClient: {
            /** Format: uuid */
            id: string;
            /** @description What the client calls itself when it asks for a token; the same as `id` */
            clientId: string;
            name: string;
            scopes: string[];
            /** @description The folders it is confined to; left out when the whole team’s are open to it */
            folderIds?: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The user who made it */
            createdBy: string;
            /** @enum {string} */
            createdByType: "user";
            /** @description The user who answers for it: whoever made it, or took it over last */
            responsibleId: string;
            /**
             * Format: date-time
             * @description When a token was last issued, to the minute
             */
            lastUsedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            isActive: boolean;
            /**
             * Format: date-time
             * @description Since when it waits, switched off, for somebody to take it over: who answered for it is gone, or was reset
             */
            awaitingTakeoverSince?: string;
        };
        ApiClientTakenOver: {
            /** Format: uuid */
            id: string;
            /** @description What the client calls itself when it asks for a token; the same as `id` */
            clientId: string;
            name: string;
            scopes: string[];
            /** @description The folders it is confined to; left out when the whole team’s are open to it */
            folderIds?: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The user who made it */
            createdBy: string;
            /** @enum {string} */
            createdByType: "user";
            /** @description The user who answers for it: whoever made it, or took it over last */
            responsibleId: string;
            /**
             * Format: date-time
             * @description When a token was last issued, to the minute
             */
            lastUsedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            isActive: boolean;
            /**
             * Format: date-time
             * @description Since when it waits, switched off, for somebody to take it over: who answered for it is gone, or was reset
             */
            awaitingTakeoverSince?: string;
            /** @description Shown only here: `chs_` and 32 bytes as base64url */
            clientSecret?: string;
        };
        ApiClientWithNewSecret: {
            /** Format: uuid */
            id: string;
            /** @description What the client calls itself when it asks for a token; the same as `id` */
            clientId: string;
            name: string;
            scopes: string[];
            /** @description The folders it is confined to; left out when the whole team’s are open to it */
            folderIds?: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The user who made it */
            createdBy: string;
            /** @enum {string} */
            createdByType: "user";
            /** @description The user who answers for it: whoever made it, or took it over last */
            responsibleId: string;
            /**
             * Format: date-time
             * @description When a token was last issued, to the minute
             */
            lastUsedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            isActive: boolean;
            /**
             * Format: date-time
             * @description Since when it waits, switched off, for somebody to take it over: who answered for it is gone, or was reset
             */
            awaitingTakeoverSince?: string;
            /** @description Shown only here: `chs_` and 32 bytes as base64url */
            clientSecret: string;
            /**
             * Format: date-time
             * @description Until when the secret before works too; left out when it ended at once
             */
            previousSecretExpiresAt?: string;
        };
        ApiClientWithSecret: {
            /** Format: uuid */
            id: string;
            /** @description What the client calls itself when it asks for a token; the same as `id` */
            clientId: string;
            name: string;
            scopes: string[];
            /** @description The folders it is confined to; left out when the whole team’s are open to it */
            folderIds?: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The user who made it */
            createdBy: string;
            /** @enum {string} */
            createdByType: "user";
            /** @description The user who answers for it: whoever made it, or took it over last */
            responsibleId: string;
            /**
             * Format: date-time
             * @description When a token was last issued, to the minute
             */
            lastUsedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            isActive: boolean;
            /**
             * Format: date-time
             * @description Since when it waits, switched off, for somebody to take it over: who answered for it is gone, or was reset
             */
            awaitingTakeoverSince?: string;
            /** @description Shown only here: `chs_` and 32 bytes as base64url */
            clientSecret: string;
        };
        AuditCheckpoint: {
            /** @description The log’s name */
            origin: string;
            size: number;
            /** @description SHA-256, base64 */
            rootHash: string;
            /** Format: date-time */
            publishedAt: string;
            /** @description A signed C2SP checkpoint: tlog-checkpoint, with its signatures */
            checkpoint: string;
            /** @description Keys that verify it, as C2SP signed-note writes them */
            verifierKeys: string[];
            /** @description Names of the outside witnesses whose cosignature it carries */
            cosignedBy: string[];
        };
        AuditConsistencyProof: {
            from: number;
            to: number;
            /** @description SHA-256, base64 */
            fromRootHash: string;
            /** @description SHA-256, base64 */
            toRootHash: string;
            consistencyPath: string[];
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            type: string;
            actor: {
                /** @enum {string} */
                type: "user" | "client" | "agent" | "staff" | "system";
                id?: string;
            };
            /** Format: uuid */
            teamId: string;
            target?: {
                type: string;
                id?: string;
            };
            /** Format: date-time */
            at: string;
            ip?: string;
            requestId?: string;
            data: {
                [key: string]: unknown;
            };
        };
        AuditEntryRecordedEvent: {
            id: string;
            /** @constant */
            type: "audit.entry.recorded";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                entryId: string;
                teamId: string;
                data: {
                    /** Format: uuid */
                    id: string;
                    type: string;
                    actor: {
                        /** @enum {string} */
                        type: "user" | "client" | "agent" | "staff" | "system";
                        id?: string;
                    };
                    /** Format: uuid */
                    teamId: string;
                    target?: {
                        type: string;
                        id?: string;
                    };
                    /** Format: date-time */
                    at: string;
                    ip?: string;
                    requestId?: string;
                    data: {
                        [key: string]: unknown;
                    };
                    /** @description The entry’s place among its team’s */
                    number: number;
                    /** @description The leaf’s place in the tree */
                    index: number;
                    /** @description SHA-256, base64 */
                    leafHash: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        AuditInclusionProof: {
            record: components["schemas"]["AuditRecord"];
            /** @description Opens the digest `ip` of the record; absent once the address was erased */
            address?: {
                salt: string;
                ip: string;
            };
            index: number;
            treeSize: number;
            /** @description SHA-256, base64 */
            leafHash: string;
            inclusionPath: string[];
            /** @description A signed C2SP checkpoint: tlog-checkpoint, with its signatures */
            checkpoint: string;
            /** @description The same as a file of C2SP tlog-proof; its extra data is the canonical record */
            tlogProof: string;
        };
        AuditJournal: {
            events: components["schemas"]["AuditEntry"][];
            /** @description Begins the next page; absent when there is none */
            nextCursor?: string;
        };
        AuditRecord: {
            /** @enum {number} */
            v: 1;
            id: string;
            /** @description The entry’s place among its team’s */
            number: number;
            teamId: string;
            type: string;
            actor: {
                type: string;
                id?: string;
            };
            target?: {
                type: string;
                id?: string;
            };
            /** @description UTC with six decimals of a second */
            at: string;
            requestId?: string;
            /** @description Digest of the address, base64 */
            ip?: string;
            data: {
                [key: string]: unknown;
            };
            salt: string;
        };
        /** @description What `navigator.credentials.get` gives, by its `toJSON()` */
        AuthenticationResponseJSON: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            response: {
                clientDataJSON: string;
                authenticatorData: string;
                signature: string;
                userHandle?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AuthorizationServerMetadata: {
            issuer: string;
            token_endpoint: string;
            jwks_uri: string;
            revocation_endpoint: string;
            introspection_endpoint: string;
            service_documentation: string;
            scopes_supported: string[];
            response_types_supported: string[];
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            introspection_endpoint_auth_methods_supported: string[];
        };
        BackupCodes: {
            backupCodes: string[];
        };
        CancelWorkflowRequest: {
            reason?: string;
        };
        ChangedPassword: {
            accessToken: string;
            message: string;
        };
        ChangePasswordRequest: {
            currentPassword: string;
            newPassword: string;
        };
        CompleteTaskRequest: {
            outcome?: string;
            comment?: string;
            /** @description The version that was looked at; with a newer one the answer is 409 */
            documentVersion?: number;
        };
        CompleteTasksRequest: {
            /** @description Each as the operation on it alone takes it */
            items: {
                /** Format: uuid */
                id: string;
                outcome?: string;
                comment?: string;
                /** @description The version that was looked at; with a newer one the answer is 409 */
                documentVersion?: number;
            }[];
        };
        ConfirmEmailChangeRequest: {
            code: string;
        };
        ConfirmStaffTotpSetupRequest: {
            code: string;
            setupId: string;
        };
        ConfirmTwoFactorSetupRequest: {
            code: string;
            setupId: string;
        };
        CreateApiClientRequest: {
            name: string;
            /**
             * @description What the client may do: at most what you may
             * @example [
             *       "tasks:read"
             *     ]
             */
            scopes: string[];
            /**
             * @description Confines the client to these folders and what lies in them; null for the whole team’s
             * @example null
             */
            folderIds?: string[] | null;
            /**
             * @description When the client ends by itself; null for never
             * @example 2099-11-21T10:00:00.000Z
             */
            expiresAt?: string | null;
        };
        CreateDocumentForm: {
            title: string;
            description?: string | null;
            folderId?: string | null;
            /** @description Anything of one’s own, up to 16 KiB of JSON; in a change null removes a member. In a form, a part of the type application/json */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: binary */
            file?: Blob;
        };
        CreateDocumentRequest: {
            title: string;
            description?: string | null;
            folderId?: string | null;
            /** @description Anything of one’s own, up to 16 KiB of JSON; in a change null removes a member. In a form, a part of the type application/json */
            metadata?: {
                [key: string]: unknown;
            };
        };
        CreateFolderRequest: {
            name: string;
            parentId?: string | null;
            description?: string | null;
            color?: string | null;
        } & {
            [key: string]: unknown;
        };
        CreateSsoConnectionRequest: {
            /**
             * @description As the provider writes it in its metadata; it cannot be changed later
             * @example https://login.example.com
             */
            issuer: string;
            clientId: string;
            /** @description Kept encrypted, and never shown again */
            clientSecret: string;
            /**
             * @description Domains of the addresses that sign in so; each counts once it is verified
             * @example [
             *       "example.com"
             *     ]
             */
            domains?: string[];
            /**
             * @description What somebody is who joins the team by signing in; `member` unless given
             * @enum {string}
             */
            defaultRole?: "member" | "viewer";
            /** @description Members with such an address, save the owner, sign in so and in no other way */
            enforce?: boolean;
            /** @description Where the provider says that it has asked for a second factor, this service does not ask again */
            trustMfa?: boolean;
            isActive?: boolean;
        };
        CreateTaskCommentRequest: {
            text: string;
        };
        CreateTaskRequest: {
            title: string;
            description?: string;
            assignedTo?: string;
            documentId?: string;
            dueDate?: string;
        };
        CreateWebhookRequest: {
            name: string;
            /** @description Absolute https URL */
            url: string;
            /** @description Event types, families such as `task.*`, or `*` for all that the caller may read about */
            events: string[];
        };
        CreateWorkflowFromTemplateRequest: {
            documentId: string;
            name?: string;
            assignedTo?: string | null;
            dueDate?: string | null;
            /** @description Who each step is given to, by the id of the step */
            assignees?: {
                [key: string]: string[];
            };
        };
        CreateWorkflowRequest: {
            documentId: string;
            name: string;
            steps: components["schemas"]["WorkflowStepInput"][];
            assignedTo?: string | null;
            dueDate?: string | null;
        };
        CreateWorkflowTemplateRequest: {
            /** @description Lower-case letters, digits and hyphens */
            name: string;
            description: string;
            steps: components["schemas"]["WorkflowStepInput"][];
        };
        DevelopmentMail: {
            to: string;
            subject: string;
            text: string;
            html: string;
            at: string;
        };
        DisableStaffTotpRequest: {
            password?: string;
            code?: string;
            passkey?: components["schemas"]["AuthenticationResponseJSON"];
        };
        DisableTwoFactorOfUserRequest: {
            /** @description Kept in the journal of the team */
            reason: string;
        };
        DisableTwoFactorRequest: {
            password?: string;
            code?: string;
            passkey?: components["schemas"]["AuthenticationResponseJSON"];
        };
        Document: {
            id: string;
            title: string;
            description?: string;
            folderId?: string;
            userId: string;
            /** @enum {string} */
            status: "draft" | "in_review" | "approved" | "signed" | "archived";
            currentVersion?: components["schemas"]["DocumentVersion"];
            /** @description Who made it; it belongs to `userId` */
            createdBy: string;
            /** @description user, client or agent */
            createdByType: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description Of what is in the bin
             */
            deletedAt?: string;
        };
        DocumentCreatedEvent: {
            id: string;
            /** @constant */
            type: "document.created";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    folderId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentDeletedEvent: {
            id: string;
            /** @constant */
            type: "document.deleted";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    folderId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentMovedEvent: {
            id: string;
            /** @constant */
            type: "document.moved";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    folderId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentRestoredEvent: {
            id: string;
            /** @constant */
            type: "document.restored";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    folderId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentSharedEvent: {
            id: string;
            /** @constant */
            type: "document.shared";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    userId: string;
                    access: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentUpdatedEvent: {
            id: string;
            /** @constant */
            type: "document.updated";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    folderId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        DocumentVersion: {
            number: number;
            fileName: string;
            mediaType: string;
            /** @description Bytes */
            size: number;
            /** @description Hexadecimal */
            sha256: string;
            createdBy: string;
            /** @description user, client or agent */
            createdByType: string;
            /** Format: date-time */
            createdAt: string;
        };
        DocumentVersionAddedEvent: {
            id: string;
            /** @constant */
            type: "document.version_added";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                documentId: string;
                teamId: string;
                data: {
                    title: string;
                    version: number;
                    sha256: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        Done: {
            ok: boolean;
        };
        EventType: {
            type: components["schemas"]["EventTypeName"];
            description: string;
            /** @description The scope that opens what such events are about; it takes that to subscribe */
            scope: string;
            /** @description True where the type or its family must be named, since `*` does not bring it */
            byNameAlone?: boolean;
            /** @description JSON Schema of the envelope */
            schema: unknown;
            /** @description An envelope */
            example: unknown;
        };
        /** @enum {string} */
        EventTypeName: "audit.entry.recorded" | "document.created" | "document.deleted" | "document.moved" | "document.restored" | "document.shared" | "document.updated" | "document.version_added" | "folder.created" | "folder.deleted" | "folder.moved" | "folder.restored" | "folder.updated" | "member.invited" | "member.joined" | "member.removed" | "member.role_changed" | "quota.exceeded" | "task.assigned" | "task.completed" | "task.created" | "task.overdue" | "task.rejected" | "task.unassigned" | "team.ownership_transferred" | "webhook.endpoint.disabled" | "webhook.secret_rotated" | "webhook.test" | "workflow.cancelled" | "workflow.completed" | "workflow.created" | "workflow.overdue" | "workflow.paused" | "workflow.rejected" | "workflow.resumed" | "workflow.started" | "workflow.step.activated" | "workflow.step.completed";
        FieldError: {
            name?: string;
            /** @description JSON pointer (RFC 6901) */
            pointer?: string;
            reason?: string;
            rule?: string;
        };
        Folder: {
            id: string;
            name: string;
            parentId?: string;
            userId: string;
            childrenCount: number;
            documentsCount: number;
            shareCount: number;
            /**
             * @description The folder is shared with the whole team
             * @enum {string}
             */
            teamAccess?: "read" | "write";
            /**
             * @description A wall stands around the folder; from outside it is a name and an owner
             * @enum {string}
             */
            wall?: "inside" | "outside";
            description?: string;
            color?: string;
            /** @description Who made it; it belongs to `userId`. Not shown from outside of a wall */
            createdBy?: string;
            /** @description user, client or agent */
            createdByType?: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FolderCreatedEvent: {
            id: string;
            /** @constant */
            type: "folder.created";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                folderId: string;
                teamId: string;
                data: {
                    name: string;
                    parentId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        FolderDeletedEvent: {
            id: string;
            /** @constant */
            type: "folder.deleted";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                folderId: string;
                teamId: string;
                data: {
                    name: string;
                    parentId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        FolderMovedEvent: {
            id: string;
            /** @constant */
            type: "folder.moved";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                folderId: string;
                teamId: string;
                data: {
                    name: string;
                    parentId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        FolderRestoredEvent: {
            id: string;
            /** @constant */
            type: "folder.restored";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                folderId: string;
                teamId: string;
                data: {
                    name: string;
                    parentId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        FolderShare: {
            id: string;
            folderId: string;
            /** @description Absent when it is with the whole team */
            userId?: string;
            /** @enum {boolean} */
            team?: true;
            /** @enum {string} */
            access: "read" | "write";
            /** Format: date-time */
            createdAt: string;
        };
        FolderUpdatedEvent: {
            id: string;
            /** @constant */
            type: "folder.updated";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                folderId: string;
                teamId: string;
                data: {
                    name: string;
                    parentId?: string;
                    /**
                     * @description Allowed by the actor’s role in the team alone
                     * @constant
                     */
                    via?: "role";
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        FolderWall: {
            folderId: string;
            userIds: string[];
            /** Format: date-time */
            since: string;
        };
        GetClientTokenRequest: {
            /**
             * @description `client_credentials`
             * @example client_credentials
             */
            grant_type: string;
            /** @description Scopes separated by spaces, of those that the client has; by default all */
            scope?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_id?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_secret?: string;
        };
        GetVerifyPasskeyOptionsRequest: {
            challengeId: string;
        };
        IntrospectClientTokenRequest: {
            token: string;
            /** @description Taken and ignored: there is one kind of token */
            token_type_hint?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_id?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_secret?: string;
        };
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** @enum {string} */
            status: "pending" | "expired" | "accepted" | "revoked";
            createdBy: string;
            /** @description user, client or agent */
            createdByType: string;
            acceptedBy?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            sentAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            endedAt?: string;
        };
        InvitationPreview: {
            teamName: string;
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** Format: date-time */
            expiresAt: string;
            /** @description Sign in to accept; otherwise accepting registers */
            hasAccount: boolean;
        };
        InviteMemberRequest: {
            email: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
        };
        JsonWebKeySet: {
            keys: {
                kty: string;
                kid: string;
                alg: string;
                use: string;
                crv?: string;
                n?: string;
                e?: string;
                x?: string;
                y?: string;
            }[];
        };
        LoginRequest: {
            email: string;
            password: string;
        };
        LoginWithPasskeyRequest: {
            response: components["schemas"]["AuthenticationResponseJSON"];
        };
        LogoutRequest: {
            refreshToken?: string;
        };
        Member: {
            id: string;
            /** @description For owner, administrators and API clients */
            email?: string;
            firstName: string;
            lastName: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @description False while suspended */
            isActive: boolean;
            /** @description For owner, administrators and API clients */
            twoFactorEnabled?: boolean;
            /** Format: date-time */
            joinedAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        MemberInvitedEvent: {
            id: string;
            /** @constant */
            type: "member.invited";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                invitationId: string;
                teamId: string;
                data: {
                    role: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        MemberJoinedEvent: {
            id: string;
            /** @constant */
            type: "member.joined";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                userId: string;
                teamId: string;
                data: {
                    role: string;
                    invitationId?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        MemberRemovedEvent: {
            id: string;
            /** @constant */
            type: "member.removed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                userId: string;
                teamId: string;
                data: {
                    role: string;
                    /** @enum {string} */
                    reason: "removed" | "left" | "account_deleted";
                    successorId: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        MemberRoleChangedEvent: {
            id: string;
            /** @constant */
            type: "member.role_changed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                userId: string;
                teamId: string;
                data: {
                    from: string;
                    to: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        Message: {
            message: string;
        };
        MoveDocumentRequest: {
            folderId: string | null;
        };
        MoveFolderRequest: {
            parentId: string | null;
        };
        NotificationSettings: {
            /**
             * @description When one is told by mail of tasks that others give one: `at_once`, `daily` in one mail at seven in the morning of one’s time zone, or `none`
             * @enum {string}
             */
            taskAssigned: "at_once" | "daily" | "none";
        };
        Passkey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The key may be on several devices of the person; false when it is bound to one */
            synced: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
        };
        PauseWorkflowRequest: {
            reason?: string;
        };
        PreviewInvitationRequest: {
            token: string;
        };
        Problem: {
            /**
             * Format: uri
             * @description A page about the code
             */
            type: string;
            title: string;
            status: number;
            /** @description What to do */
            detail: string;
            instance?: string;
            code: components["schemas"]["ProblemCode"];
            /** @description Finds the request in the logs, and in the journal what it changed */
            request_id: string;
            trace_id: string;
            errors?: components["schemas"]["FieldError"][];
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ProblemCode: "account_disabled" | "account_exists" | "address_managed_by_team" | "already_invited" | "already_member" | "already_owner" | "altcha_already_used" | "altcha_expired" | "altcha_invalid" | "altcha_required" | "assignee_is_viewer" | "assignee_not_found" | "assignee_required" | "bad_request" | "checkpoint_missing" | "client_limit" | "conflict" | "cross_origin_refused" | "decision_asked" | "document_changed" | "document_has_no_file" | "document_not_readable" | "document_not_yours_to_open" | "document_under_decision" | "domain_taken" | "email_not_verified" | "entry_not_integrated" | "expiry_in_past" | "field_read_only" | "file_required" | "folder_cycle" | "folder_not_empty" | "folder_too_deep" | "folder_unknown" | "folder_walled" | "forbidden" | "headers_too_large" | "idempotency_in_progress" | "idempotency_key_reused" | "insufficient_scope" | "internal_error" | "invalid_challenge" | "invalid_client" | "invalid_code" | "invalid_credentials" | "invalid_current_password" | "invalid_grant" | "invalid_invitation" | "invalid_or_expired_code" | "invalid_or_expired_token" | "invalid_passkey" | "invalid_refresh_token" | "invalid_request" | "invalid_scope" | "invalid_setup" | "invalid_timezone" | "invalid_token" | "invalid_transition" | "invitation_ended" | "invitation_for_another_address" | "invitation_limit" | "malformed_json" | "member_not_found" | "member_of_another_team" | "method_not_allowed" | "name_has_link" | "name_taken" | "no_passkeys" | "not_acceptable" | "not_found" | "not_on_oneself" | "not_team_owner" | "opening_decided" | "openings_exhausted" | "outcome_invalid" | "outcome_unknown" | "owner_protected" | "parent_not_found" | "passkey_limit" | "passkey_registered" | "password_unchanged" | "payload_too_large" | "person_required" | "precondition_failed" | "quota_exceeded" | "range_not_satisfiable" | "rate_limited" | "reauthentication_required" | "refresh_token_reused" | "refresh_token_superseded" | "refusal_needs_write" | "request_timeout" | "role_not_held" | "scope_not_confinable" | "scope_not_held" | "second_factor_stopped" | "shared_with_oneself" | "sso_account_elsewhere" | "sso_answer_refused" | "sso_connection_limit" | "sso_denied" | "sso_email_unverified" | "sso_not_configured" | "sso_provider_unavailable" | "sso_required" | "sso_return_refused" | "sso_state_invalid" | "sso_unknown_person" | "staff_inactive" | "statement_timeout" | "storage_full" | "successor_not_found" | "takeover_needed" | "task_not_open" | "team_has_members" | "team_not_active" | "team_not_empty" | "team_not_suspended" | "team_owner_must_transfer" | "template_exists" | "template_limit" | "template_not_found" | "totp_mandatory" | "totp_setup_required" | "tree_size_out_of_range" | "two_factor_already_enabled" | "two_factor_not_enabled" | "unauthenticated" | "unavailable" | "unknown_scope" | "unsupported_grant_type" | "unsupported_media_type" | "uri_too_long" | "url_not_allowed" | "validation_failed" | "version_not_kept" | "webhook_delivery_not_retryable" | "webhook_endpoint_inactive" | "webhook_endpoint_limit" | "webhook_event_closed" | "webhook_payload_expunged" | "workflow_paused" | "workflow_steps_invalid";
        Profile: {
            id: string;
            email: string;
            firstName: string;
            lastName: string;
            teamId: string;
            /** Format: date-time */
            onboardingCompletedAt?: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            timezone: string;
            twoFactorEnabled: boolean;
        };
        ProtectedResourceMetadata: {
            resource: string;
            authorization_servers: string[];
            scopes_supported: string[];
            bearer_methods_supported: string[];
            resource_name: string;
            resource_documentation: string;
        };
        /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON` */
        PublicKeyCredentialCreationOptionsJSON: {
            challenge: string;
            rp: {
                id: string;
                name: string;
            } & {
                [key: string]: unknown;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            } & {
                [key: string]: unknown;
            };
            pubKeyCredParams: ({
                type: string;
                alg: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Milliseconds */
            timeout: number;
            excludeCredentials: ({
                id: string;
                type: string;
                transports?: string[];
            } & {
                [key: string]: unknown;
            })[];
            authenticatorSelection: {
                residentKey: string;
                requireResidentKey: boolean;
                userVerification: string;
            } & {
                [key: string]: unknown;
            };
            attestation: string;
        } & {
            [key: string]: unknown;
        };
        /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` */
        PublicKeyCredentialRequestOptionsJSON: {
            challenge: string;
            rpId: string;
            /** @description Milliseconds */
            timeout: number;
            userVerification: string;
            allowCredentials?: ({
                id: string;
                type: string;
                transports?: string[];
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        PutFolderWallRequest: {
            userIds: string[];
        };
        QuotaExceededEvent: {
            id: string;
            /** @constant */
            type: "quota.exceeded";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                quotaId: string;
                teamId: string;
                data: {
                    name: string;
                    used: number;
                    limit: number;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        QuotaUse: {
            name: string;
            /** @description What is counted */
            description: string;
            used: number;
            limit: number;
            unit: string;
            /**
             * @description Over which time it is counted; it comes back by itself
             * @enum {string}
             */
            period?: "second" | "hour" | "day";
            /**
             * Format: date-time
             * @description From when on something of it, or of deliveries all of it, is free again
             */
            resetsAt?: string;
        };
        ReassignTaskRequest: {
            userId: string;
            reason?: string;
        };
        ReassignTasksRequest: {
            /** @description Each as the operation on it alone takes it */
            items: {
                /** Format: uuid */
                id: string;
                userId: string;
                reason?: string;
            }[];
        };
        /** @description The password, a code of the second factor, or what a passkey answers to `reauthenticate/options` */
        ReauthenticateRequest: {
            password?: string;
            code?: string;
            passkey?: components["schemas"]["AuthenticationResponseJSON"];
        };
        ReauthenticateStaffRequest: {
            password?: string;
            code?: string;
        };
        RecordTaskSignatureRequest: {
            /** @enum {string} */
            outcome: "signed_elsewhere" | "declined";
            comment?: string;
            /** @description The version that was looked at; with a newer one the answer is 409 */
            documentVersion?: number;
        };
        RecoverWebhookRequest: {
            /**
             * Format: date-time
             * @description What failed or was missed since then is sent
             */
            since: string;
        };
        RefreshError: {
            error: string;
            error_description?: string;
            code?: components["schemas"]["ProblemCode"];
            status?: number;
            request_id?: string;
        } & {
            [key: string]: unknown;
        };
        RefreshRequest: {
            refreshToken?: string;
        };
        RefreshStaffRequest: {
            refreshToken?: string;
        };
        RegisteredPasskey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The key may be on several devices of the person; false when it is bound to one */
            synced: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
            /** @description Shown only here, and only when the passkey is the first second factor of the person */
            backupCodes?: string[];
        };
        RegisterPasskeyRequest: {
            /** @example Work laptop */
            name: string;
            response: components["schemas"]["RegistrationResponseJSON"];
        };
        RegisterRequest: {
            altcha?: unknown;
            email: string;
            firstName: string;
            lastName: string;
            password: string;
        };
        /** @description What `navigator.credentials.create` gives, by its `toJSON()` */
        RegistrationResponseJSON: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            response: {
                clientDataJSON: string;
                attestationObject: string;
                transports?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        RenamePasskeyRequest: {
            /** @example Work laptop */
            name: string;
        };
        RenewedAccessToken: {
            accessToken: string;
        };
        RequestPasswordResetRequest: {
            altcha?: unknown;
            email: string;
        };
        RequestWallOpeningRequest: {
            reason: string;
        };
        ResendVerificationRequest: {
            email: string;
        };
        ResetPasswordRequest: {
            password: string;
            token: string;
        };
        RestoreTeamRequest: {
            /** @description Kept in the journal of the team */
            reason: string;
        };
        RevokeClientTokenRequest: {
            token: string;
            /** @description Taken and ignored: there is one kind of token */
            token_type_hint?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_id?: string;
            /** @description Unless the client authenticates by HTTP Basic */
            client_secret?: string;
        };
        RevokeSessionsOfUserRequest: {
            /** @description Kept in the journal of the team */
            reason: string;
        };
        RotateApiClientSecretRequest: {
            /** @description How long the secret before works beside the new one; 24 by default, 0 ends it at once */
            overlapHours?: number;
        };
        RotateWebhookSecretRequest: {
            /** @description How long the old secret signs beside the new one; 24 by default */
            overlapHours?: number;
            /** @description The old secret is known to others: stop signing with it at once */
            expirePreviousNow?: boolean;
        };
        ServiceStatus: {
            /** @enum {string} */
            status: "ok";
        };
        Session: {
            id: string;
            current: boolean;
            ip?: string;
            userAgent?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SetStaffPasswordRequest: {
            token: string;
            password: string;
        };
        ShareDocumentRequest: {
            userId: string;
            /** @enum {string} */
            access: "read" | "write";
        };
        ShareFolderRequest: {
            /** @description With whom; or `team` */
            userId?: string;
            /**
             * @description With the whole team, whoever joins later too
             * @enum {boolean}
             */
            team?: true;
            /** @enum {string} */
            access: "read" | "write";
        };
        SignedIn: {
            accessToken: string;
            user: components["schemas"]["SignedInUser"];
        };
        SignedInStaff: {
            accessToken: string;
            staff: components["schemas"]["Staff"];
        };
        SignedInUser: {
            id: string;
            email: string;
            firstName: string;
            lastName: string;
            teamId: string;
        };
        /** @description The person has a second factor: complete the sign-in with verify-totp or verify-passkey, by one of `methods` */
        SignInChallenge: {
            /** @enum {boolean} */
            twoFactorRequired: true;
            challengeId: string;
            /** @description Seconds */
            expiresIn: number;
            methods: string[];
        };
        SsoConnection: {
            /** Format: uuid */
            id: string;
            issuer: string;
            clientId: string;
            /** @description To be registered at the provider, exactly */
            redirectUri: string;
            domains: {
                name: string;
                verified: boolean;
                /** Format: date-time */
                verifiedAt?: string;
                /** @description What the DNS of the domain must hold to verify it */
                record: {
                    type: string;
                    name: string;
                    value: string;
                };
            }[];
            defaultRole: string;
            enforce: boolean;
            trustMfa: boolean;
            isActive: boolean;
            /** @description The user who made it; left out for connections of before this was kept */
            createdBy?: string;
            /** @enum {string} */
            createdByType?: "user";
            /**
             * Format: date-time
             * @description When somebody last signed in through it
             */
            lastUsedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Staff: {
            id: string;
            email: string;
            name: string;
            isActive: boolean;
            totpEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastLoginAt?: string;
        };
        StaffLoginRequest: {
            email: string;
            password: string;
        };
        StaffTeam: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "suspended" | "closed";
            membersCount: number;
            /** Format: date-time */
            createdAt: string;
        };
        StaffUser: {
            id: string;
            teamId: string;
            email: string;
            firstName: string;
            lastName: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            status: "active" | "disabled" | "deleted";
            twoFactorEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        Success: {
            success: boolean;
        };
        SuspendTeamRequest: {
            /** @description Kept in the journal of the team */
            reason: string;
        };
        TakeOverApiClientRequest: {
            /** @description true leaves it the secret that whoever answered for it may know; by default it gets a new one */
            keepSecret?: boolean;
        };
        Task: {
            id: string;
            title: string;
            description?: string;
            /** @description The kind of step it stands for: task, review, approval, or a name of one’s own */
            type: string;
            /** @enum {string} */
            status: "open" | "completed" | "rejected" | "cancelled";
            /** @description What it may be completed with */
            outcomes: string[];
            assignedTo?: string;
            /** @description Whom it was given to first, when it was passed on */
            delegatedFrom?: string;
            createdBy: string;
            /** @enum {string} */
            createdByType: "user" | "client" | "agent" | "staff" | "system";
            workflowId?: string;
            stepId?: string;
            documentId?: string;
            /** @description The version of the document that it is about */
            documentVersion?: number;
            documentSha256?: string;
            /** Format: date-time */
            dueDate?: string;
            outcome?: string;
            comment?: string;
            completedBy?: string;
            /** @enum {string} */
            completedByType?: "user" | "client" | "agent" | "staff" | "system";
            /** Format: date-time */
            completedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TaskAssignedEvent: {
            id: string;
            /** @constant */
            type: "task.assigned";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                    assignedFrom?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TaskComment: {
            id: string;
            taskId: string;
            createdBy: string;
            /** @description user, client or agent */
            createdByType: string;
            text: string;
            /** Format: date-time */
            createdAt: string;
        };
        TaskCompletedEvent: {
            id: string;
            /** @constant */
            type: "task.completed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                    outcome?: string;
                    completedBy?: string;
                    /** @description user, client, agent or system */
                    completedByType?: string;
                    /** @description Whom the task was given to first, when it was passed on */
                    onBehalfOf?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TaskCreatedEvent: {
            id: string;
            /** @constant */
            type: "task.created";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TaskOverdueEvent: {
            id: string;
            /** @constant */
            type: "task.overdue";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TaskRejectedEvent: {
            id: string;
            /** @constant */
            type: "task.rejected";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                    outcome?: string;
                    completedBy?: string;
                    /** @description user, client, agent or system */
                    completedByType?: string;
                    /** @description Whom the task was given to first, when it was passed on */
                    onBehalfOf?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TaskResults: {
            results: {
                id: string;
                /** @description The status of the operation on this thing alone */
                status: number;
                task?: components["schemas"]["Task"];
                /** @description The problem document that the operation on this thing alone would have answered */
                problem?: {
                    type: string;
                    title: string;
                    status: number;
                    detail: string;
                    code: string;
                } & {
                    [key: string]: unknown;
                };
            }[];
        };
        TaskUnassignedEvent: {
            id: string;
            /** @constant */
            type: "task.unassigned";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                taskId: string;
                teamId: string;
                data: {
                    title: string;
                    type?: string;
                    assignedTo?: string;
                    workflowId?: string;
                    stepId?: string;
                    documentId?: string;
                    /** @description The version of the document that the task is about */
                    documentVersion?: number;
                    /** @description SHA-256 of that version, in hexadecimal */
                    documentSha256?: string;
                    assignedFrom?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        Team: {
            id: string;
            name: string;
            /** @description IANA name: where the team’s days begin and end */
            timezone: string;
            ownerId: string;
            /** @description Active and suspended */
            membersCount: number;
            /** @description Whether API clients that can write wait for somebody to take them over when who answers for them is gone or was reset */
            clientsAwaitTakeover: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TeamOwnershipTransferredEvent: {
            id: string;
            /** @constant */
            type: "team.ownership_transferred";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                teamId: string;
                data: {
                    fromUserId: string;
                    toUserId: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        TeamQuotas: {
            teamId: string;
            quotas: components["schemas"]["QuotaUse"][];
        };
        TeamUsage: {
            quotas: components["schemas"]["QuotaUse"][];
        };
        TokenError: {
            error: string;
            error_description: string;
        };
        TokenIntrospection: {
            active: boolean;
            scope?: string;
            client_id?: string;
            token_type?: string;
            exp?: number;
            iat?: number;
            sub?: string;
            iss?: string;
            jti?: string;
        };
        Tokens: {
            accessToken: string;
            refreshToken: string;
        };
        TransferOwnershipRequest: {
            /** Format: uuid */
            newOwnerId: string;
        };
        TwoFactorSetup: {
            backupCodes: string[];
            setupId: string;
            totpUri: string;
        };
        UnlockUserRequest: {
            /** @description Kept in the journal of the team */
            reason: string;
        };
        UpdateApiClientRequest: {
            name?: string;
            /**
             * @description What the client may do: at most what you may
             * @example [
             *       "tasks:read"
             *     ]
             */
            scopes?: string[];
            /**
             * @description Confines the client to these folders and what lies in them; null for the whole team’s
             * @example null
             */
            folderIds?: string[] | null;
            /**
             * @description When the client ends by itself; null for never
             * @example 2099-11-21T10:00:00.000Z
             */
            expiresAt?: string | null;
            /** @description false ends its tokens at once and gives it no new ones */
            isActive?: boolean;
        };
        UpdateDocumentRequest: {
            title?: string;
            description?: string | null;
            /** @enum {string} */
            status?: "draft" | "archived";
            /** @description Anything of one’s own, up to 16 KiB of JSON; in a change null removes a member. In a form, a part of the type application/json */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description As it was read; not changed here */
            id?: unknown;
            /** @description As it was read; not changed here */
            folderId?: unknown;
            /** @description As it was read; not changed here */
            userId?: unknown;
            /** @description As it was read; not changed here */
            currentVersion?: unknown;
            /** @description As it was read; not changed here */
            createdBy?: unknown;
            /** @description As it was read; not changed here */
            createdByType?: unknown;
            /** @description As it was read; not changed here */
            createdAt?: unknown;
            /** @description As it was read; not changed here */
            updatedAt?: unknown;
        };
        UpdatedProfile: {
            id: string;
            email: string;
            firstName: string;
            lastName: string;
            message: string;
        };
        UpdateFolderRequest: {
            name?: string;
            parentId?: string | null;
            description?: string | null;
            color?: string | null;
        } & {
            [key: string]: unknown;
        };
        UpdateMemberRequest: {
            /** @enum {string} */
            role?: "admin" | "member" | "viewer";
            isActive?: boolean;
            /** @description true lets the person change an address that the team’s provider manages, and sign in without it */
            addressReleased?: boolean;
        };
        UpdateProfileRequest: {
            firstName?: string;
            lastName?: string;
            timezone?: string;
            /**
             * @description The language mails are written in
             * @enum {string}
             */
            locale?: "en" | "de";
            email?: string;
            onboardingCompletedAt?: string | true | null;
            /** @description As it was read; another value is a 422 */
            id?: unknown;
            /** @description As it was read; another value is a 422 */
            teamId?: unknown;
            /** @description As it was read; another value is a 422 */
            role?: unknown;
            /** @description As it was read; another value is a 422 */
            twoFactorEnabled?: unknown;
        };
        UpdateSsoConnectionRequest: {
            clientId?: string;
            /** @description Kept encrypted, and never shown again */
            clientSecret?: string;
            /**
             * @description Domains of the addresses that sign in so; each counts once it is verified
             * @example [
             *       "example.com"
             *     ]
             */
            domains?: string[];
            /**
             * @description What somebody is who joins the team by signing in; `member` unless given
             * @enum {string}
             */
            defaultRole?: "member" | "viewer";
            /** @description Members with such an address, save the owner, sign in so and in no other way */
            enforce?: boolean;
            /** @description Where the provider says that it has asked for a second factor, this service does not ask again */
            trustMfa?: boolean;
            isActive?: boolean;
        };
        UpdateTeamQuotasRequest: {
            quotas: {
                /** @description `null` for what the settings say */
                documents?: number | null;
                /** @description `null` for what the settings say */
                storage?: number | null;
                /** @description `null` for what the settings say */
                workflows?: number | null;
                /** @description `null` for what the settings say */
                templates?: number | null;
                /** @description `null` for what the settings say */
                jobsWaiting?: number | null;
                /** @description `null` for what the settings say */
                mails?: number | null;
                /** @description `null` for what the settings say */
                mailsToOneAddress?: number | null;
                /** @description `null` for what the settings say */
                deliveries?: number | null;
                /** @description `null` for what the settings say */
                writes?: number | null;
            };
            /** @description Kept in the journal of the team */
            reason: string;
        };
        UpdateTeamRequest: {
            name?: string;
            timezone?: string;
            clientsAwaitTakeover?: boolean;
        };
        UpdateWebhookRequest: {
            name?: string;
            /** @description Absolute https URL */
            url?: string;
            /** @description Event types, families such as `task.*`, or `*` for all that the caller may read about */
            events?: string[];
            /** @description false holds what waits and takes no new events */
            isActive?: boolean;
        };
        UpdateWebhookSettingsRequest: {
            headers?: {
                [key: string]: string;
            } | null;
            maxPerSecond?: number | null;
            description?: string | null;
            signing?: ("hmac" | "ed25519") | null;
        };
        UpdateWorkflowRequest: {
            documentId?: string;
            name?: string;
            steps?: components["schemas"]["WorkflowStepInput"][];
            assignedTo?: string | null;
            dueDate?: string | null;
        };
        UpdateWorkflowTemplateRequest: {
            description?: string;
            steps?: components["schemas"]["WorkflowStepInput"][];
        };
        UploadDocumentVersionForm: {
            /**
             * Format: binary
             * @description The file, with its name
             */
            file: Blob;
        };
        VerifyEmailRequest: {
            code: string;
            email: string;
        };
        VerifyPasskeyRequest: {
            challengeId: string;
            response: components["schemas"]["AuthenticationResponseJSON"];
        };
        VerifyStaffTotpRequest: {
            challengeId: string;
            /** @description Of the authenticator app, or a backup code */
            code: string;
        };
        VerifyTotpRequest: {
            challengeId: string;
            /** @description Of the authenticator app, or a backup code */
            code: string;
        };
        WaitingInvitation: {
            id: string;
            teamName: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** Format: date-time */
            expiresAt: string;
        };
        WallOpening: {
            id: string;
            folderId: string;
            /** @description Who asks */
            userId: string;
            reason: string;
            /** @enum {string} */
            status: "asked" | "open" | "over";
            /** Format: date-time */
            askedAt: string;
            consentedBy?: string;
            /** Format: date-time */
            consentedAt?: string;
            /** Format: date-time */
            until?: string;
        };
        WebhookAttempt: {
            attempt: number;
            /** Format: date-time */
            startedAt: string;
            latencyMs: number;
            responseStatus?: number;
            error?: string;
            errorDetail?: string;
            responseHeaders?: {
                [key: string]: unknown;
            };
            /** @description The first 16 KiB */
            responseBody?: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpointId: string;
            /** Format: uuid */
            teamId: string;
            eventId: string;
            /** @description The event type; one of the catalogue, or of what an earlier version announced */
            eventType: string;
            /** @description The envelope as it is sent; an empty object when it was expunged, or carries what needs a scope the token lacks */
            payload: unknown;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            attempts: number;
            maxAttempts: number;
            responseStatus?: number;
            /** @description Why the last attempt failed, as a stable code */
            error?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
            /** Format: date-time */
            lastAttemptAt?: string;
            /** Format: date-time */
            nextRetryAt?: string;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: string[];
            isActive: boolean;
            clientId?: string;
            /** Format: uuid */
            teamId: string;
            /** Format: uuid */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookEndpointDisabledEvent: {
            id: string;
            /** @constant */
            type: "webhook.endpoint.disabled";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                endpointId: string;
                teamId: string;
                data: {
                    name: string;
                    /** @enum {string} */
                    reason: "gone" | "failing";
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: string[];
            isActive: boolean;
            clientId?: string;
            /** Format: uuid */
            teamId: string;
            /** Format: uuid */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Shown only here: `whsec_` and 32 bytes as base64 */
            secret: string;
        };
        WebhookRecovery: {
            /** @description Failed deliveries that are tried again */
            failed: number;
            /** @description Events that happened while the endpoint was inactive or not subscribed */
            missed: number;
        };
        WebhookSecretRotatedEvent: {
            id: string;
            /** @constant */
            type: "webhook.secret_rotated";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                endpointId: string;
                teamId: string;
                data: {
                    name: string;
                    /** Format: date-time */
                    previousSecretUntil?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WebhookSettings: {
            /** @description Sent with each delivery. Who may not write webhooks sees `[redacted]` in place of the values */
            headers: {
                [key: string]: string;
            };
            /** @description Deliveries a second at most, over all nodes; absent is no limit */
            maxPerSecond?: number;
            description?: string;
            /**
             * @description `ed25519` adds a signature by a key of the service, published at /.well-known/webhook-jwks.json
             * @enum {string}
             */
            signing: "hmac" | "ed25519";
        };
        WebhookTestEvent: {
            id: string;
            /** @constant */
            type: "webhook.test";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                endpointId: string;
                teamId: string;
                data: {
                    message: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        Workflow: {
            id: string;
            name: string;
            type: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "completed" | "rejected" | "cancelled";
            documentId: string;
            documentLinked: boolean;
            assignedTo?: string;
            createdBy: string;
            /** @enum {string} */
            createdByType: "user" | "client" | "agent" | "staff" | "system";
            /** Format: date-time */
            dueDate?: string;
            reason?: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            pausedAt?: string;
            /** Format: date-time */
            completedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            steps: components["schemas"]["WorkflowStep"][];
        };
        WorkflowAccess: {
            grants: {
                userId: string;
                /** @enum {string} */
                access: "read" | "write";
                /** @enum {string} */
                reason: "maker" | "assignee" | "task" | "document" | "role";
                /** Format: date-time */
                since: string;
            }[];
        };
        WorkflowCancelledEvent: {
            id: string;
            /** @constant */
            type: "workflow.cancelled";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowCompletedEvent: {
            id: string;
            /** @constant */
            type: "workflow.completed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowCreatedEvent: {
            id: string;
            /** @constant */
            type: "workflow.created";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowOverdueEvent: {
            id: string;
            /** @constant */
            type: "workflow.overdue";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowPausedEvent: {
            id: string;
            /** @constant */
            type: "workflow.paused";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowRejectedEvent: {
            id: string;
            /** @constant */
            type: "workflow.rejected";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowResumedEvent: {
            id: string;
            /** @constant */
            type: "workflow.resumed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowStartedEvent: {
            id: string;
            /** @constant */
            type: "workflow.started";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    name: string;
                    type: string;
                    documentId: string;
                    /** @description Who acted: user, client, agent or system */
                    actorType?: string;
                    actorId?: string;
                    reason?: string;
                    changes?: {
                        [key: string]: {
                            from?: unknown;
                            to?: unknown;
                        };
                    };
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowStep: {
            id: string;
            type: string;
            name?: string;
            description?: string;
            assignees?: string[];
            /** @enum {string} */
            mode: "any" | "all";
            dependsOn: string[];
            dueInDays?: number;
            config?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "pending" | "active" | "completed" | "rejected" | "skipped" | "failed";
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            completedAt?: string;
            outcome?: string;
            taskIds: string[];
        };
        WorkflowStepActivatedEvent: {
            id: string;
            /** @constant */
            type: "workflow.step.activated";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    stepId: string;
                    type: string;
                    name?: string;
                    outcome?: string;
                    completedBy?: string;
                    completedByType?: string;
                    onBehalfOf?: string;
                    documentVersion?: number;
                    documentSha256?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowStepCompletedEvent: {
            id: string;
            /** @constant */
            type: "workflow.step.completed";
            teamId: string;
            /** Format: date-time */
            timestamp: string;
            data: {
                workflowId: string;
                teamId: string;
                data: {
                    stepId: string;
                    type: string;
                    name?: string;
                    outcome?: string;
                    completedBy?: string;
                    completedByType?: string;
                    onBehalfOf?: string;
                    documentVersion?: number;
                    documentSha256?: string;
                };
            };
            /**
             * @description Texts or lists in `data` were cut, so that the event is no larger than 256 KiB
             * @constant
             */
            dataTruncated?: true;
        };
        WorkflowStepInput: {
            id: string;
            type: string;
            name?: string;
            description?: string;
            assignedTo?: string;
            assignees?: string[];
            /** @enum {string} */
            mode?: "any" | "all";
            dependsOn?: string[];
            dueInDays?: number;
            config?: {
                [key: string]: unknown;
            };
        };
        WorkflowTemplate: {
            name: string;
            description: string;
            /** @enum {string} */
            source: "builtin" | "team";
            steps: {
                [key: string]: unknown;
            }[];
            /** @description Of a template of the team’s own */
            createdBy?: string;
            /** @description user, client or agent */
            createdByType?: string;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
        };
    };
    responses: {
        /** @description The request does not fit; `errors` names each member by a JSON pointer */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No token, or one that has ended: refresh, or sign in again */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Another role, scope or kind of caller is needed */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing there that the caller may see */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The state is another than assumed: read it again */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The thing was changed since it was read: read it again */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Larger than the service takes */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What was asked for makes no sense as things stand */
        UnprocessableContent: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Wait for `Retry-After` seconds */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A problem document (RFC 9457) */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
        IdempotencyKey: string;
        /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
        IfMatch: string;
        /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
        IfNoneMatch: string;
        /** @description One range of bytes, such as `bytes=0-1023`: 206 with that part (RFC 9110 §14.2) */
        Range: string;
    };
    requestBodies: never;
    headers: {
        /** @description The version, for `If-Match` and `If-None-Match` */
        ETag: string;
        /** @description The next page of a list, `<…>; rel="next"`, what was changed, `<…>; rel="self"`, or what goes with it, `<…>; rel="related"` (RFC 8288) */
        Link: string;
        /** @description Where the new thing is, or where the browser is sent */
        Location: string;
        /** @description Members that the operation does not know and has left out: `299 - "Ignored, …"` */
        Warning: string;
        /** @description `true` when the answer is that of an earlier request with the same key */
        IdempotencyReplayed: string;
    };
    pathItems: never;
}
export type AcceptInvitationRequest = components['schemas']['AcceptInvitationRequest'];
export type AccessGrant = components['schemas']['AccessGrant'];
export type AccessList = components['schemas']['AccessList'];
export type AccessToken = components['schemas']['AccessToken'];
export type ApiClient = components['schemas']['ApiClient'];
export type ApiClientTakenOver = components['schemas']['ApiClientTakenOver'];
export type ApiClientWithNewSecret = components['schemas']['ApiClientWithNewSecret'];
export type ApiClientWithSecret = components['schemas']['ApiClientWithSecret'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditConsistencyProof = components['schemas']['AuditConsistencyProof'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryRecordedEvent = components['schemas']['AuditEntryRecordedEvent'];
export type AuditInclusionProof = components['schemas']['AuditInclusionProof'];
export type AuditJournal = components['schemas']['AuditJournal'];
export type AuditRecord = components['schemas']['AuditRecord'];
export type AuthenticationResponseJson = components['schemas']['AuthenticationResponseJSON'];
export type AuthorizationServerMetadata = components['schemas']['AuthorizationServerMetadata'];
export type BackupCodes = components['schemas']['BackupCodes'];
export type CancelWorkflowRequest = components['schemas']['CancelWorkflowRequest'];
export type ChangedPassword = components['schemas']['ChangedPassword'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type CompleteTaskRequest = components['schemas']['CompleteTaskRequest'];
export type CompleteTasksRequest = components['schemas']['CompleteTasksRequest'];
export type ConfirmEmailChangeRequest = components['schemas']['ConfirmEmailChangeRequest'];
export type ConfirmStaffTotpSetupRequest = components['schemas']['ConfirmStaffTotpSetupRequest'];
export type ConfirmTwoFactorSetupRequest = components['schemas']['ConfirmTwoFactorSetupRequest'];
export type CreateApiClientRequest = components['schemas']['CreateApiClientRequest'];
export type CreateDocumentForm = components['schemas']['CreateDocumentForm'];
export type CreateDocumentRequest = components['schemas']['CreateDocumentRequest'];
export type CreateFolderRequest = components['schemas']['CreateFolderRequest'];
export type CreateSsoConnectionRequest = components['schemas']['CreateSsoConnectionRequest'];
export type CreateTaskCommentRequest = components['schemas']['CreateTaskCommentRequest'];
export type CreateTaskRequest = components['schemas']['CreateTaskRequest'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type CreateWorkflowFromTemplateRequest = components['schemas']['CreateWorkflowFromTemplateRequest'];
export type CreateWorkflowRequest = components['schemas']['CreateWorkflowRequest'];
export type CreateWorkflowTemplateRequest = components['schemas']['CreateWorkflowTemplateRequest'];
export type DevelopmentMail = components['schemas']['DevelopmentMail'];
export type DisableStaffTotpRequest = components['schemas']['DisableStaffTotpRequest'];
export type DisableTwoFactorOfUserRequest = components['schemas']['DisableTwoFactorOfUserRequest'];
export type DisableTwoFactorRequest = components['schemas']['DisableTwoFactorRequest'];
export type Document = components['schemas']['Document'];
export type DocumentCreatedEvent = components['schemas']['DocumentCreatedEvent'];
export type DocumentDeletedEvent = components['schemas']['DocumentDeletedEvent'];
export type DocumentMovedEvent = components['schemas']['DocumentMovedEvent'];
export type DocumentRestoredEvent = components['schemas']['DocumentRestoredEvent'];
export type DocumentSharedEvent = components['schemas']['DocumentSharedEvent'];
export type DocumentUpdatedEvent = components['schemas']['DocumentUpdatedEvent'];
export type DocumentVersion = components['schemas']['DocumentVersion'];
export type DocumentVersionAddedEvent = components['schemas']['DocumentVersionAddedEvent'];
export type Done = components['schemas']['Done'];
export type EventType = components['schemas']['EventType'];
export type EventTypeName = components['schemas']['EventTypeName'];
export type FieldError = components['schemas']['FieldError'];
export type Folder = components['schemas']['Folder'];
export type FolderCreatedEvent = components['schemas']['FolderCreatedEvent'];
export type FolderDeletedEvent = components['schemas']['FolderDeletedEvent'];
export type FolderMovedEvent = components['schemas']['FolderMovedEvent'];
export type FolderRestoredEvent = components['schemas']['FolderRestoredEvent'];
export type FolderShare = components['schemas']['FolderShare'];
export type FolderUpdatedEvent = components['schemas']['FolderUpdatedEvent'];
export type FolderWall = components['schemas']['FolderWall'];
export type GetClientTokenRequest = components['schemas']['GetClientTokenRequest'];
export type GetVerifyPasskeyOptionsRequest = components['schemas']['GetVerifyPasskeyOptionsRequest'];
export type IntrospectClientTokenRequest = components['schemas']['IntrospectClientTokenRequest'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationPreview = components['schemas']['InvitationPreview'];
export type InviteMemberRequest = components['schemas']['InviteMemberRequest'];
export type JsonWebKeySet = components['schemas']['JsonWebKeySet'];
export type LoginRequest = components['schemas']['LoginRequest'];
export type LoginWithPasskeyRequest = components['schemas']['LoginWithPasskeyRequest'];
export type LogoutRequest = components['schemas']['LogoutRequest'];
export type Member = components['schemas']['Member'];
export type MemberInvitedEvent = components['schemas']['MemberInvitedEvent'];
export type MemberJoinedEvent = components['schemas']['MemberJoinedEvent'];
export type MemberRemovedEvent = components['schemas']['MemberRemovedEvent'];
export type MemberRoleChangedEvent = components['schemas']['MemberRoleChangedEvent'];
export type Message = components['schemas']['Message'];
export type MoveDocumentRequest = components['schemas']['MoveDocumentRequest'];
export type MoveFolderRequest = components['schemas']['MoveFolderRequest'];
export type NotificationSettings = components['schemas']['NotificationSettings'];
export type Passkey = components['schemas']['Passkey'];
export type PauseWorkflowRequest = components['schemas']['PauseWorkflowRequest'];
export type PreviewInvitationRequest = components['schemas']['PreviewInvitationRequest'];
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type Profile = components['schemas']['Profile'];
export type ProtectedResourceMetadata = components['schemas']['ProtectedResourceMetadata'];
export type PublicKeyCredentialCreationOptionsJson = components['schemas']['PublicKeyCredentialCreationOptionsJSON'];
export type PublicKeyCredentialRequestOptionsJson = components['schemas']['PublicKeyCredentialRequestOptionsJSON'];
export type PutFolderWallRequest = components['schemas']['PutFolderWallRequest'];
export type QuotaExceededEvent = components['schemas']['QuotaExceededEvent'];
export type QuotaUse = components['schemas']['QuotaUse'];
export type ReassignTaskRequest = components['schemas']['ReassignTaskRequest'];
export type ReassignTasksRequest = components['schemas']['ReassignTasksRequest'];
export type ReauthenticateRequest = components['schemas']['ReauthenticateRequest'];
export type ReauthenticateStaffRequest = components['schemas']['ReauthenticateStaffRequest'];
export type RecordTaskSignatureRequest = components['schemas']['RecordTaskSignatureRequest'];
export type RecoverWebhookRequest = components['schemas']['RecoverWebhookRequest'];
export type RefreshError = components['schemas']['RefreshError'];
export type RefreshRequest = components['schemas']['RefreshRequest'];
export type RefreshStaffRequest = components['schemas']['RefreshStaffRequest'];
export type RegisteredPasskey = components['schemas']['RegisteredPasskey'];
export type RegisterPasskeyRequest = components['schemas']['RegisterPasskeyRequest'];
export type RegisterRequest = components['schemas']['RegisterRequest'];
export type RegistrationResponseJson = components['schemas']['RegistrationResponseJSON'];
export type RenamePasskeyRequest = components['schemas']['RenamePasskeyRequest'];
export type RenewedAccessToken = components['schemas']['RenewedAccessToken'];
export type RequestPasswordResetRequest = components['schemas']['RequestPasswordResetRequest'];
export type RequestWallOpeningRequest = components['schemas']['RequestWallOpeningRequest'];
export type ResendVerificationRequest = components['schemas']['ResendVerificationRequest'];
export type ResetPasswordRequest = components['schemas']['ResetPasswordRequest'];
export type RestoreTeamRequest = components['schemas']['RestoreTeamRequest'];
export type RevokeClientTokenRequest = components['schemas']['RevokeClientTokenRequest'];
export type RevokeSessionsOfUserRequest = components['schemas']['RevokeSessionsOfUserRequest'];
export type RotateApiClientSecretRequest = components['schemas']['RotateApiClientSecretRequest'];
export type RotateWebhookSecretRequest = components['schemas']['RotateWebhookSecretRequest'];
export type ServiceStatus = components['schemas']['ServiceStatus'];
export type Session = components['schemas']['Session'];
export type SetStaffPasswordRequest = components['schemas']['SetStaffPasswordRequest'];
export type ShareDocumentRequest = components['schemas']['ShareDocumentRequest'];
export type ShareFolderRequest = components['schemas']['ShareFolderRequest'];
export type SignedIn = components['schemas']['SignedIn'];
export type SignedInStaff = components['schemas']['SignedInStaff'];
export type SignedInUser = components['schemas']['SignedInUser'];
export type SignInChallenge = components['schemas']['SignInChallenge'];
export type SsoConnection = components['schemas']['SsoConnection'];
export type Staff = components['schemas']['Staff'];
export type StaffLoginRequest = components['schemas']['StaffLoginRequest'];
export type StaffTeam = components['schemas']['StaffTeam'];
export type StaffUser = components['schemas']['StaffUser'];
export type Success = components['schemas']['Success'];
export type SuspendTeamRequest = components['schemas']['SuspendTeamRequest'];
export type TakeOverApiClientRequest = components['schemas']['TakeOverApiClientRequest'];
export type Task = components['schemas']['Task'];
export type TaskAssignedEvent = components['schemas']['TaskAssignedEvent'];
export type TaskComment = components['schemas']['TaskComment'];
export type TaskCompletedEvent = components['schemas']['TaskCompletedEvent'];
export type TaskCreatedEvent = components['schemas']['TaskCreatedEvent'];
export type TaskOverdueEvent = components['schemas']['TaskOverdueEvent'];
export type TaskRejectedEvent = components['schemas']['TaskRejectedEvent'];
export type TaskResults = components['schemas']['TaskResults'];
export type TaskUnassignedEvent = components['schemas']['TaskUnassignedEvent'];
export type Team = components['schemas']['Team'];
export type TeamOwnershipTransferredEvent = components['schemas']['TeamOwnershipTransferredEvent'];
export type TeamQuotas = components['schemas']['TeamQuotas'];
export type TeamUsage = components['schemas']['TeamUsage'];
export type TokenError = components['schemas']['TokenError'];
export type TokenIntrospection = components['schemas']['TokenIntrospection'];
export type Tokens = components['schemas']['Tokens'];
export type TransferOwnershipRequest = components['schemas']['TransferOwnershipRequest'];
export type TwoFactorSetup = components['schemas']['TwoFactorSetup'];
export type UnlockUserRequest = components['schemas']['UnlockUserRequest'];
export type UpdateApiClientRequest = components['schemas']['UpdateApiClientRequest'];
export type UpdateDocumentRequest = components['schemas']['UpdateDocumentRequest'];
export type UpdatedProfile = components['schemas']['UpdatedProfile'];
export type UpdateFolderRequest = components['schemas']['UpdateFolderRequest'];
export type UpdateMemberRequest = components['schemas']['UpdateMemberRequest'];
export type UpdateProfileRequest = components['schemas']['UpdateProfileRequest'];
export type UpdateSsoConnectionRequest = components['schemas']['UpdateSsoConnectionRequest'];
export type UpdateTeamQuotasRequest = components['schemas']['UpdateTeamQuotasRequest'];
export type UpdateTeamRequest = components['schemas']['UpdateTeamRequest'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type UpdateWebhookSettingsRequest = components['schemas']['UpdateWebhookSettingsRequest'];
export type UpdateWorkflowRequest = components['schemas']['UpdateWorkflowRequest'];
export type UpdateWorkflowTemplateRequest = components['schemas']['UpdateWorkflowTemplateRequest'];
export type UploadDocumentVersionForm = components['schemas']['UploadDocumentVersionForm'];
export type VerifyEmailRequest = components['schemas']['VerifyEmailRequest'];
export type VerifyPasskeyRequest = components['schemas']['VerifyPasskeyRequest'];
export type VerifyStaffTotpRequest = components['schemas']['VerifyStaffTotpRequest'];
export type VerifyTotpRequest = components['schemas']['VerifyTotpRequest'];
export type WaitingInvitation = components['schemas']['WaitingInvitation'];
export type WallOpening = components['schemas']['WallOpening'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointDisabledEvent = components['schemas']['WebhookEndpointDisabledEvent'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookRecovery = components['schemas']['WebhookRecovery'];
export type WebhookSecretRotatedEvent = components['schemas']['WebhookSecretRotatedEvent'];
export type WebhookSettings = components['schemas']['WebhookSettings'];
export type WebhookTestEvent = components['schemas']['WebhookTestEvent'];
export type Workflow = components['schemas']['Workflow'];
export type WorkflowAccess = components['schemas']['WorkflowAccess'];
export type WorkflowCancelledEvent = components['schemas']['WorkflowCancelledEvent'];
export type WorkflowCompletedEvent = components['schemas']['WorkflowCompletedEvent'];
export type WorkflowCreatedEvent = components['schemas']['WorkflowCreatedEvent'];
export type WorkflowOverdueEvent = components['schemas']['WorkflowOverdueEvent'];
export type WorkflowPausedEvent = components['schemas']['WorkflowPausedEvent'];
export type WorkflowRejectedEvent = components['schemas']['WorkflowRejectedEvent'];
export type WorkflowResumedEvent = components['schemas']['WorkflowResumedEvent'];
export type WorkflowStartedEvent = components['schemas']['WorkflowStartedEvent'];
export type WorkflowStep = components['schemas']['WorkflowStep'];
export type WorkflowStepActivatedEvent = components['schemas']['WorkflowStepActivatedEvent'];
export type WorkflowStepCompletedEvent = components['schemas']['WorkflowStepCompletedEvent'];
export type WorkflowStepInput = components['schemas']['WorkflowStepInput'];
export type WorkflowTemplate = components['schemas']['WorkflowTemplate'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseContentTooLarge = components['responses']['ContentTooLarge'];
export type ResponseUnprocessableContent = components['responses']['UnprocessableContent'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseProblem = components['responses']['Problem'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterRange = components['parameters']['Range'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLink = components['headers']['Link'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderWarning = components['headers']['Warning'];
export type HeaderIdempotencyReplayed = components['headers']['IdempotencyReplayed'];
export type $defs = Record<string, never>;
export interface operations {
    getAltchaChallenge: {
        parameters: {
            query?: {
                /** @description Shape of the challenge: 1 every widget takes, 2 is the newer */
                v?: number;
                action?: "register" | "reset";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmailRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendVerificationRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"] | components["schemas"]["SignInChallenge"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description The request does not fit; `errors` names each member by a JSON pointer */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description No token, or one that has ended: refresh, or sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description Wait for `Retry-After` seconds */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPassword"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProfileRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getNotificationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationSettings"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyTotpRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReauthenticateRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewedAccessToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    beginTwoFactorSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    confirmTwoFactorSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTwoFactorSetupRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    regenerateBackupCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterPasskeyRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredPasskey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getPasskeyRegistrationOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON` */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyCredentialCreationOptionsJSON"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePasskeyRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getPasskeyLoginOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyCredentialRequestOptionsJSON"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    loginWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginWithPasskeyRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getVerifyPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetVerifyPasskeyOptionsRequest"];
            };
        };
        responses: {
            /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyCredentialRequestOptionsJSON"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    verifyPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyPasskeyRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getReauthenticationOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyCredentialRequestOptionsJSON"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    transferOwnership: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferOwnershipRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmailChangeRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    staffLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StaffLoginRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInStaff"] | components["schemas"]["SignInChallenge"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    verifyStaffTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyStaffTotpRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInStaff"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    refreshStaff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshStaffRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description The request does not fit; `errors` names each member by a JSON pointer */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description No token, or one that has ended: refresh, or sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description Wait for `Retry-After` seconds */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshError"];
                };
            };
        };
    };
    staffLogout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getStaffProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Staff"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    reauthenticateStaff: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReauthenticateStaffRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewedAccessToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    setStaffPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetStaffPasswordRequest"];
            };
        };
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    beginStaffTotpSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    confirmStaffTotpSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmStaffTotpSetupRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    regenerateStaffBackupCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    disableStaffTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisableStaffTotpRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Part of a name or address */
                q?: string;
                status?: "active" | "suspended" | "closed";
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffTeam"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTeamAsStaff: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffTeam"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    suspendTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuspendTeamRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffTeam"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    restoreTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreTeamRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffTeam"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTeamQuotas: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamQuotas"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateTeamQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamQuotasRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamQuotas"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Part of a name or address */
                q?: string;
                teamId?: string;
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffUser"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffUser"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    unlockUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlockUserRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    disableTwoFactorOfUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorOfUserRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    revokeSessionsOfUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeSessionsOfUserRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listServiceJournal: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description Entries of one type */
                type?: string;
                /** @description Entries of one actor */
                actorId?: string;
                /** @description Newest first without it */
                sort?: "-createdAt" | "createdAt";
                /** @description Entries about one thing, by its identifier */
                targetId?: string;
                /** @description What kind of thing `targetId` is, such as `document`; not without it */
                targetType?: string;
                /** @description Entries at this time or later */
                from?: string;
                /** @description Entries before this time */
                to?: string;
            };
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditJournal"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listApiClients: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
                /** @description Changed at this time or later */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClient"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createApiClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiClientRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClientWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getApiClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClient"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteApiClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateApiClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiClientRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClient"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    rotateApiClientSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiClientSecretRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClientWithNewSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    takeOverApiClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeOverApiClientRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiClientTakenOver"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getProtectedResourceMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTeamUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamUsage"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    leaveTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
                /** @description Changed at this time or later */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description Who takes over tasks, workflows and folders; by default the owner */
                successorId?: string;
            };
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description Repeatable; by default pending and expired */
                status?: ("pending" | "expired" | "accepted" | "revoked")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWaitingInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingInvitation"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewInvitationRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listSsoConnections: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSsoConnectionRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSsoConnectionRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    verifySsoDomains: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    startSsoLogin: {
        parameters: {
            query?: {
                /** @description Whose domain tells the connection */
                email?: string;
                connectionId?: string;
                /** @description Where the browser goes afterwards: a path, or a page of BASE_URL or CORS_ORIGINS */
                returnTo?: string;
                /** @description `login`: the provider asks the person again, for a recent sign-in */
                prompt?: "login";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser is sent on */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    finishSsoLogin: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                error?: string;
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser is sent on */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
                /** @description Changed at this time or later */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFolderRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFolderRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteFolder: {
        parameters: {
            query?: {
                /** @description Take everything below along */
                recursive?: boolean;
            };
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    moveFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveFolderRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    restoreFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listFolderShares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderShare"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    shareFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareFolderRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderShare"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteFolderShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listFolderAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessList"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    revokeFolderGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getFolderWall: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderWall"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    putFolderWall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutFolderWallRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderWall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteFolderWall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWallOpenings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WallOpening"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    requestWallOpening: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestWallOpeningRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WallOpening"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    consentToWallOpening: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                openingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WallOpening"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                folderId?: string;
                status?: "draft" | "in_review" | "approved" | "signed" | "archived";
                /** @description Part of the title */
                q?: string;
                /** @description Changed then or later */
                updatedSince?: string;
                /** @description `createdAt` by default; with `-` the other way round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "title" | "-title";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentRequest"];
                "multipart/form-data": components["schemas"]["CreateDocumentForm"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDocumentBin: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description `createdAt` by default; with `-` the other way round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "title" | "-title";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    moveDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveDocumentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDocumentVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersion"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    uploadDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadDocumentVersionForm"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    downloadDocument: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description One range of bytes, such as `bytes=0-1023`: 206 with that part (RFC 9110 §14.2) */
                Range?: components["parameters"]["Range"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    restoreDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDocumentAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessList"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    shareDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareDocumentRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessGrant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    revokeDocumentGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                status?: ("open" | "completed" | "rejected" | "cancelled")[];
                /** @description A member, or `me` */
                assignedTo?: string;
                workflowId?: string;
                documentId?: string;
                overdue?: boolean;
                /** @description Changed at this time or later */
                updatedSince?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueDate" | "-dueDate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    completeTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteTaskRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    recordTaskSignature: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordTaskSignatureRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    reassignTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReassignTaskRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    completeTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteTasksRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResults"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    reassignTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReassignTasksRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResults"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listTaskComments: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskComment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createTaskComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskCommentRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskComment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                status?: ("draft" | "active" | "paused" | "completed" | "rejected" | "cancelled")[];
                /** @description A member, or `me` */
                assignedTo?: string;
                type?: string;
                documentId?: string;
                overdue?: boolean;
                /** @description Changed at this time or later */
                updatedSince?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueDate" | "-dueDate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkflowRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listActiveWorkflows: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueDate" | "-dueDate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listOverdueWorkflows: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueDate" | "-dueDate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDocumentWorkflows: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueDate" | "-dueDate";
            };
            header?: never;
            path: {
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWorkflowTemplates: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkflowTemplateRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkflowTemplateRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createWorkflowFromTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkflowFromTemplateRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkflowRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWorkflowAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowAccess"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    startWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    pauseWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseWorkflowRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    resumeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    cancelWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelWorkflowRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description At most so many; the next page is in the Link header */
                limit?: number;
                /** @description Where the page begins: taken from the Link header of the page before */
                cursor?: string;
                /** @description By age without it; a minus turns the order round */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
                /** @description Changed at this time or later */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventType"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhookSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    updateWebhookSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1) */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookSettingsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed" | "cancelled";
                eventType?: string;
                /** @description Newest first without it */
                sort?: "-createdAt" | "createdAt";
                /** @description At most so many; 1 000 by default */
                limit?: number;
                /** @description Taken from the Link header of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttempt"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    expungeDeliveryPayload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer is empty */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listAuditJournal: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description Entries of one type */
                type?: string;
                /** @description Entries of one actor */
                actorId?: string;
                /** @description Newest first without it */
                sort?: "-createdAt" | "createdAt";
                /** @description Entries about one thing, by its identifier */
                targetId?: string;
                /** @description What kind of thing `targetId` is, such as `document`; not without it */
                targetType?: string;
                /** @description Entries at this time or later */
                from?: string;
                /** @description Entries before this time */
                to?: string;
            };
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditJournal"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpoint"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getAuditConsistencyProof: {
        parameters: {
            query: {
                /** @description The smaller size */
                from: number;
                /** @description The larger size; that of the published checkpoint when left out */
                to?: number;
            };
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditConsistencyProof"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    exportAuditJournal: {
        parameters: {
            query?: {
                /** @description Only entries after this number: the last of an earlier export */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getAuditInclusionProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditInclusionProof"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTlogCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getTlogTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `<level>/<index>` or `entries/<index>`, each with `.p/<width>` when partial */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getAccessTokenKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getJournalKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhookKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2) */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description Unchanged since the `ETag` given */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listDevelopmentMails: {
        parameters: {
            query?: {
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevelopmentMail"][];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    getClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["GetClientTokenRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description The request does not fit; `errors` names each member by a JSON pointer */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description No token, or one that has ended: refresh, or sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Wait for `Retry-After` seconds */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Refused (RFC 6749 §5.2) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
        };
    };
    revokeClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RevokeClientTokenRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The request does not fit; `errors` names each member by a JSON pointer */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description No token, or one that has ended: refresh, or sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Wait for `Retry-After` seconds */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Refused (RFC 6749 §5.2) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
        };
    };
    introspectClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["IntrospectClientTokenRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenIntrospection"];
                };
            };
            /** @description The request does not fit; `errors` names each member by a JSON pointer */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description No token, or one that has ended: refresh, or sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Wait for `Retry-After` seconds */
            429: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Refused (RFC 6749 §5.2) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
        };
    };
    onAuditEntryRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "audit.entry.recorded",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "entryId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "id": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *           "type": "folder.created",
                 *           "actor": {
                 *             "type": "user",
                 *             "id": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e10"
                 *           },
                 *           "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *           "target": {
                 *             "type": "folder",
                 *             "id": "0192f3c1-a8b9-7c3d-8e4f-5a6b7c8d9e0f"
                 *           },
                 *           "at": "2026-11-21T09:30:00.000Z",
                 *           "ip": "192.0.2.1",
                 *           "requestId": "0192f3c1-a8b9-7c3d-8e4f-000000000001",
                 *           "data": {
                 *             "name": "Contracts"
                 *           },
                 *           "number": 17,
                 *           "index": 4711,
                 *           "leafHash": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuditEntryRecordedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.created",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.deleted",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentDeletedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentMoved: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.moved",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentMovedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentRestored: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.restored",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentRestoredEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentShared: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.shared",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "userId": "01999999-0000-7000-8000-000000000000",
                 *           "access": "read"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentSharedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.updated",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentUpdatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentVersionAdded: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "document.version_added",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "documentId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Master services agreement",
                 *           "version": 2,
                 *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DocumentVersionAddedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFolderCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "folder.created",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "folderId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Contracts"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FolderCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFolderDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "folder.deleted",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "folderId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Contracts"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FolderDeletedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFolderMoved: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "folder.moved",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "folderId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Contracts"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FolderMovedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFolderRestored: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "folder.restored",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "folderId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Contracts"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FolderRestoredEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFolderUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "folder.updated",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "folderId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Contracts"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FolderUpdatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMemberInvited: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "member.invited",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "invitationId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "role": "member"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberInvitedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMemberJoined: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "member.joined",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "userId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "role": "owner"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberJoinedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMemberRemoved: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "member.removed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "userId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "role": "member",
                 *           "reason": "removed",
                 *           "successorId": "019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberRemovedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMemberRoleChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "member.role_changed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "userId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "from": "member",
                 *           "to": "admin"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberRoleChangedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaExceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "quota.exceeded",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "quotaId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "documents",
                 *           "used": 1000000,
                 *           "limit": 1000000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QuotaExceededEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskAssigned: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.assigned",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedTo": "01999999-0000-7000-8000-000000000000",
                 *           "assignedFrom": "01999999-0000-7000-8000-000000000001",
                 *           "reason": "On leave"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskAssignedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.completed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedTo": "01999999-0000-7000-8000-000000000000",
                 *           "documentVersion": 2,
                 *           "documentSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "completedBy": "01999999-0000-7000-8000-000000000000",
                 *           "completedByType": "user",
                 *           "outcome": "approved",
                 *           "changes": {
                 *             "status": {
                 *               "from": "open",
                 *               "to": "completed"
                 *             }
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskCompletedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.created",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedTo": "01999999-0000-7000-8000-000000000000"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskOverdue: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.overdue",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedTo": "01999999-0000-7000-8000-000000000000"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskOverdueEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.rejected",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedTo": "01999999-0000-7000-8000-000000000000",
                 *           "documentVersion": 2,
                 *           "documentSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "completedBy": "01999999-0000-7000-8000-000000000000",
                 *           "completedByType": "user",
                 *           "outcome": "rejected",
                 *           "changes": {
                 *             "status": {
                 *               "from": "open",
                 *               "to": "rejected"
                 *             }
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskRejectedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskUnassigned: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "task.unassigned",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "taskId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "title": "Review the agreement",
                 *           "type": "review",
                 *           "assignedFrom": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskUnassignedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTeamOwnershipTransferred: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "team.ownership_transferred",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "fromUserId": "019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11",
                 *           "toUserId": "019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TeamOwnershipTransferredEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "webhook.endpoint.disabled",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "endpointId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Accounting",
                 *           "reason": "failing"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookSecretRotated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "webhook.secret_rotated",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "endpointId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Accounting",
                 *           "previousSecretUntil": "2026-11-22T09:30:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretRotatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "webhook.test",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "endpointId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "message": "This is a test."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.cancelled",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowCancelledEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.completed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowCompletedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.created",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowCreatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowOverdue: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.overdue",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowOverdueEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowPaused: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.paused",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowPausedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.rejected",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowRejectedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowResumed: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.resumed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowResumedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.started",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "name": "Supplier agreement",
                 *           "type": "contract-review-and-signature",
                 *           "documentId": "01999999-0000-7000-8000-000000000000",
                 *           "actorType": "user",
                 *           "actorId": "01999999-0000-7000-8000-000000000001"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowStartedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowStepActivated: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.step.activated",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "stepId": "review",
                 *           "type": "review"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowStepActivatedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkflowStepCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description `v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text */
                "X-Service-Signature": string;
                /** @description Unix time of sending, in seconds: refuse what is older than five minutes */
                "X-Service-Timestamp": string;
                /** @description The same at each attempt: what came twice is told by it */
                "X-Service-Event-Id": string;
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The same by the secret before, for as long as a rotation lets both sign */
                "X-Service-Signature-Previous"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f",
                 *       "type": "workflow.step.completed",
                 *       "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "data": {
                 *         "workflowId": "0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a",
                 *         "teamId": "0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                 *         "data": {
                 *           "stepId": "review",
                 *           "type": "review",
                 *           "outcome": "approved",
                 *           "completedBy": "01999999-0000-7000-8000-000000000001",
                 *           "completedByType": "user",
                 *           "documentVersion": 2
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowStepCompletedEvent"];
            };
        };
        responses: {
            /** @description Taken no more: the endpoint is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, and no answer in time, is tried again */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
