import { Button, Select, Switch, TextInput } from '@mantine/core';
import type { Team } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { BrandingSection } from './branding.tsx';
import { PolicySection } from './policy.tsx';
import { SettingsPage } from './settings-page.tsx';
import styles from './settings.module.css';
import { teamTexts } from './team-texts.ts';
import { settingsTexts } from './texts.ts';
import { UsageSection } from './usage.tsx';
import { WorkingTimeSection } from './working-time.tsx';

const readTeam = (): Promise<Versioned<Team>> => versioned(api.GET('/api/v1/team'));

/** The team itself: its name, working time, branding and usage. */
export function TeamPage(): JSX.Element {
  const manages = managesTeam(useClaims());
  const query = useQuery({ queryKey: ['team'], queryFn: readTeam });
  return (
    <SettingsPage>
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <div className={styles.view}>
          <TeamForm key={query.data.etag} version={query.data} isFixed={!manages} />
          <WorkingTimeSection isFixed={!manages} />
          {manages && <BrandingSection teamName={query.data.data.name} />}
          {manages && <PolicySection />}
          {manages && <UsageSection />}
        </div>
      )}
    </SettingsPage>
  );
}

type Settings = Pick<Team, 'name' | 'timezone' | 'fourEyes' | 'clientsAwaitTakeover'>;

function TeamForm({ version: { data: team, etag }, isFixed }: { version: Versioned<Team>; isFixed: boolean }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(teamTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [timezone, setTimezone] = useState(team.timezone);
  const save = useSave<Settings, Team>({
    etag,
    send: (body, ifMatch) => versioned(api.PATCH('/api/v1/team', { body, params: { header: { 'If-Match': ifMatch } } })),
    reload: readTeam,
    done: (version) => {
      client.setQueryData(['team'], version);
      void client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['working-time'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, fourEyes, takeover } = fieldsOf(event, 'name', 'fourEyes', 'takeover');
    void save.save({ name, timezone, fourEyes: fourEyes !== '', clientsAwaitTakeover: takeover !== '' });
  };
  const { conflict } = save;
  return (
    <Section title={shared.team}>
      <form className={styles.form} onSubmit={submit}>
        <TextInput name="name" label={words.name} defaultValue={team.name} maxLength={200} disabled={isFixed} required />
        <Select
          label={words.timezone}
          description={words.timezoneText}
          data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timezone])]}
          value={timezone}
          onChange={(zone) => setTimezone(zone ?? timezone)}
          allowDeselect={false}
          disabled={isFixed}
          searchable
          limit={50}
        />
        <Switch name="fourEyes" label={words.fourEyes} description={words.fourEyesText} defaultChecked={team.fourEyes} disabled={isFixed} />
        <Switch
          name="takeover"
          label={words.takeover}
          description={words.takeoverText}
          defaultChecked={team.clientsAwaitTakeover}
          disabled={isFixed}
        />
        <SaveError save={save} />
        {conflict && (
          <Conflict
            save={save}
            changedAt={conflict.theirs.data.updatedAt}
            differences={differences(words, conflict.mine, conflict.theirs.data)}
          />
        )}
        {!isFixed && (
          <div>
            <Button type="submit" variant="default" loading={save.isSaving}>
              {common.save}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

type TeamWords = Record<'name' | 'timezone' | 'fourEyes' | 'takeover' | 'on' | 'off', string>;

function differences(words: TeamWords, mine: Settings, theirs: Settings) {
  const state = (isOn: boolean) => (isOn ? words.on : words.off);
  return [
    { label: words.name, mine: mine.name, theirs: theirs.name },
    { label: words.timezone, mine: mine.timezone, theirs: theirs.timezone },
    { label: words.fourEyes, mine: state(mine.fourEyes), theirs: state(theirs.fourEyes) },
    { label: words.takeover, mine: state(mine.clientsAwaitTakeover), theirs: state(theirs.clientsAwaitTakeover) },
  ].filter((one) => one.mine !== one.theirs);
}
