import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import type { WorkingTime, WorkingTimeRequest } from '@chancery/client';
import { api, type Versioned, versioned } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { languages, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './settings.module.css';
import { teamTexts } from './team-texts.ts';
import { settingsTexts } from './texts.ts';

const queryKey = ['working-time'];
const readWorkingTime = (): Promise<Versioned<WorkingTime>> => versioned(api.GET('/api/v1/team/working-time'));
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** A Monday, at noon UTC. */
const monday = Date.UTC(2024, 0, 1, 12);
const dayMs = 86_400_000;
const maxFreeDays = 400;

/** The working days, hours and holidays of the team. */
export function WorkingTimeSection({ isFixed }: { isFixed: boolean }): JSX.Element {
  const words = useTexts(teamTexts);
  const query = useQuery({ queryKey, queryFn: readWorkingTime });
  return (
    <Section title={words.workingTime} text={words.workingTimeText}>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <WorkingTimeForm key={query.data.etag} version={query.data} isFixed={isFixed} />}
    </Section>
  );
}

/** The countries by name: all codes of two letters with a name. */
function countries(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label, locale));
}

function WorkingTimeForm({ version: { data: time, etag }, isFixed }: { version: Versioned<WorkingTime>; isFixed: boolean }): JSX.Element {
  const words = useTexts(teamTexts);
  const common = useTexts(commonTexts);
  const { locale } = languages[useLanguage()];
  const client = useQueryClient();
  const [free, setFree] = useState<readonly string[]>(time.free);
  const [country, setCountry] = useState(time.holidays?.country ?? '');
  const [days, setDays] = useState<readonly string[]>(time.days);
  const nameOfDay = (at: number) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(monday + at * dayMs);
  const save = useSave<WorkingTimeRequest, WorkingTime>({
    etag,
    send: (body, ifMatch) => versioned(api.PUT('/api/v1/team/working-time', { body, params: { header: { 'If-Match': ifMatch } } })),
    reload: readWorkingTime,
    done: (version) => client.setQueryData(queryKey, version),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { opens, closes, state } = fieldsOf(event, 'opens', 'closes', 'state');
    const region = country === time.holidays?.country && state === time.holidays.state ? time.holidays.region : undefined;
    const holidays = { country, ...(state === '' ? {} : { state: state.toUpperCase() }), ...(region === undefined ? {} : { region }) };
    void save.save({
      days: weekdays.filter((day) => days.includes(day)),
      opens,
      closes,
      free: [...free],
      ...(country === '' ? {} : { holidays }),
    });
  };
  const { conflict } = save;
  const shown = (one: Pick<WorkingTimeRequest, 'days' | 'opens' | 'closes' | 'holidays'>) =>
    `${weekdays.flatMap((day, at) => (one.days.includes(day) ? [nameOfDay(at)] : [])).join(', ')} · ${one.opens}–${one.closes} ${one.holidays?.country ?? ''}`;
  return (
    <form className={styles.form} onSubmit={submit}>
      <Checkbox.Group label={words.days} value={[...days]} onChange={setDays}>
        <div className={styles.days}>
          {weekdays.map((day, at) => (
            <Checkbox key={day} value={day} label={nameOfDay(at)} disabled={isFixed} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={styles.pair}>
        <TextInput type="time" name="opens" label={words.opens} defaultValue={time.opens} disabled={isFixed} required />
        <TextInput type="time" name="closes" label={words.closes} defaultValue={time.closes} disabled={isFixed} required />
      </div>
      <NativeSelect
        label={words.country}
        data={[{ value: '', label: words.noCountry }, ...countries(locale)]}
        value={country}
        onChange={({ currentTarget: { value } }) => setCountry(value)}
        disabled={isFixed}
      />
      {country !== '' && (
        <TextInput
          name="state"
          label={words.state}
          description={words.stateText}
          defaultValue={time.holidays?.state ?? ''}
          maxLength={20}
          disabled={isFixed}
        />
      )}
      <FreeDays free={free} change={setFree} isFixed={isFixed} />
      <NextHolidays time={time} />
      <SaveError save={save} />
      {conflict && (
        <Conflict
          save={save}
          differences={[{ label: words.workingTime, mine: shown(conflict.mine), theirs: shown(conflict.theirs.data) }]}
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
  );
}

/** A day without a time, in the language of the person. */
function useDay(): (day: string) => string {
  const { locale } = languages[useLanguage()];
  return (day) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day));
}

function FreeDays({
  free,
  change,
  isFixed,
}: {
  free: readonly string[];
  change: (days: readonly string[]) => void;
  isFixed: boolean;
}): JSX.Element | null {
  const shared = useTexts(settingsTexts);
  const words = useTexts(teamTexts);
  const format = useDay();
  const [day, setDay] = useState('');
  if (isFixed && free.length === 0) return null;
  return (
    <fieldset className={styles.group}>
      <legend>{words.free}</legend>
      {free.length > 0 && (
        <Rows label={words.free}>
          {free.map((one) => (
            <RowOf
              key={one}
              title={format(one)}
              actions={
                !isFixed && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={words.removeFree(format(one))}
                    onClick={() => change(free.filter((other) => other !== one))}
                  >
                    {shared.remove}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      )}
      {!isFixed && (
        <div className={styles.pair}>
          <TextInput
            type="date"
            label={words.freeDay}
            description={words.freeText}
            value={day}
            onChange={({ currentTarget: { value } }) => setDay(value)}
          />
          <Button
            variant="default"
            disabled={day === '' || free.includes(day) || free.length >= maxFreeDays}
            onClick={() => {
              change([...free, day].toSorted());
              setDay('');
            }}
          >
            {words.addFree}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** How many holidays are shown. */
const shownHolidays = 3;

function NextHolidays({ time }: { time: WorkingTime }): JSX.Element | null {
  const words = useTexts(teamTexts);
  const format = useDay();
  if (time.nextHolidays.length === 0) return null;
  return (
    <p className="soft">
      {words.nextHolidays}:{' '}
      {time.nextHolidays
        .slice(0, shownHolidays)
        .map(({ date, name }) => `${name}, ${format(date)}`)
        .join(' · ')}
    </p>
  );
}
