import type { JSX, ReactNode } from 'react';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Claims, managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { settingsTexts } from './texts.ts';

type SettingsPageLink = { to: string; name: string; isFor?: (claims: Claims) => boolean };

/** One of the pages with the settings of the team. */
export function SettingsPage({ actions, children }: { actions?: ReactNode; children: ReactNode }): JSX.Element {
  const { settings: title } = useTexts(commonTexts);
  const words = useTexts(settingsTexts);
  const claims = useClaims();
  const pages: SettingsPageLink[] = [
    { to: '/settings/members', name: words.members },
    { to: '/settings/invitations', name: words.invitations, isFor: managesTeam },
    { to: '/settings/guests', name: words.guests },
    { to: '/settings/groups', name: words.groups },
    { to: '/settings/team', name: words.team },
    { to: '/settings/barriers', name: words.barriers, isFor: managesTeam },
    { to: '/settings/sso', name: words.sso, isFor: managesTeam },
    { to: '/settings/directories', name: words.directories, isFor: managesTeam },
    { to: '/settings/retention', name: words.retention, isFor: managesTeam },
  ];
  return (
    <Screen title={title} actions={actions}>
      <PageTabs label={title} pages={pages.filter(({ isFor }) => isFor?.(claims) ?? true)} />
      {!managesTeam(claims) && <p className="soft">{words.onlyManagers}</p>}
      {children}
    </Screen>
  );
}
