import { Button, NumberInput, Switch, TagsInput } from '@mantine/core';
import type { TeamPolicy } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { policyKey, readPolicy, usualGuestDays } from './member-data.ts';
import styles from './settings.module.css';
import { teamTexts } from './team-texts.ts';

/** The rules for sign-ins and guests. Only the owner changes them. */
export function PolicySection(): JSX.Element {
  const words = useTexts(teamTexts);
  const isOwner = useClaims().role === 'owner';
  const query = useQuery({ queryKey: policyKey, queryFn: readPolicy });
  return (
    <Section title={words.policy} text={isOwner ? words.policyText : words.onlyOwner}>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <PolicyForm key={query.data.etag} version={query.data} isFixed={!isOwner} />}
    </Section>
  );
}

function PolicyForm({ version: { data: policy, etag }, isFixed }: { version: Versioned<TeamPolicy>; isFixed: boolean }): JSX.Element {
  const words = useTexts(teamTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [domains, setDomains] = useState(policy.guestDomains ?? []);
  const save = useSave<TeamPolicy, TeamPolicy>({
    etag,
    send: (body, ifMatch) => versioned(api.PUT('/api/v1/team/policy', { body, params: { header: { 'If-Match': ifMatch } } })),
    reload: readPolicy,
    done: (version) => client.setQueryData(policyKey, version),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { secondFactor, hours, days, sponsor } = fieldsOf(event, 'secondFactor', 'hours', 'days', 'sponsor');
    void save.save({
      secondFactor: secondFactor !== '',
      ...(hours === '' ? {} : { sessionHours: Number(hours) }),
      ...(days === '' ? {} : { guestDaysMax: Number(days) }),
      guestDomains: domains,
      membersMaySponsor: sponsor !== '',
    });
  };
  const { conflict } = save;
  const shown = (one: TeamPolicy) =>
    [
      `${words.secondFactor}: ${one.secondFactor ? words.on : words.off}`,
      `${words.sessionHours}: ${one.sessionHours ?? '–'}`,
      `${words.guestDays}: ${one.guestDaysMax ?? usualGuestDays}`,
    ].join(' · ');
  return (
    <form className={styles.form} onSubmit={submit}>
      <Switch
        name="secondFactor"
        label={words.secondFactor}
        description={words.secondFactorText}
        defaultChecked={policy.secondFactor}
        disabled={isFixed}
      />
      <NumberInput
        name="hours"
        label={words.sessionHours}
        description={words.sessionHoursText}
        defaultValue={policy.sessionHours ?? ''}
        min={1}
        max={2_160}
        allowDecimal={false}
        hideControls
        disabled={isFixed}
      />
      <NumberInput
        name="days"
        label={words.guestDays}
        defaultValue={policy.guestDaysMax ?? usualGuestDays}
        min={1}
        max={730}
        allowDecimal={false}
        hideControls
        disabled={isFixed}
      />
      <TagsInput
        label={words.guestDomains}
        description={words.guestDomainsText}
        value={domains}
        onChange={setDomains}
        maxTags={100}
        acceptValueOnBlur
        disabled={isFixed}
      />
      <Switch
        name="sponsor"
        label={words.membersMaySponsor}
        description={words.membersMaySponsorText}
        defaultChecked={policy.membersMaySponsor ?? false}
        disabled={isFixed}
      />
      <SaveError save={save} />
      {conflict && (
        <Conflict save={save} differences={[{ label: words.policy, mine: shown(conflict.mine), theirs: shown(conflict.theirs.data) }]} />
      )}
      {!isFixed && (
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {common.save}
          </Button>
        </div>
      )}
    </form>
  );
}
