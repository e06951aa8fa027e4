import type { JSX, ReactNode } from 'react';
import { Screen } from '../../parts/screen.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { SettingsPage } from '../settings/settings-page.tsx';

/** A page with a setting of one folder. The owner of the folder opens it too, without the settings of the team. */
export function FolderSettings({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  const claims = useClaims();
  return managesTeam(claims) ? <SettingsPage>{children}</SettingsPage> : <Screen title={title}>{children}</Screen>;
}
