import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useFormat } from '../../texts/format.ts';
import { languages, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './settings.module.css';
import { teamTexts } from './team-texts.ts';

/** Usage from which a limit is near. */
const nearShare = 0.8;

/** The usage of each limit of the team. */
export function UsageSection(): JSX.Element {
  const words = useTexts(teamTexts);
  const format = useFormat();
  const { locale } = languages[useLanguage()];
  const query = useQuery({ queryKey: ['team', 'usage'], queryFn: () => ok(api.GET('/api/v1/team/usage')) });
  const amount = (count: number, unit: string) => (unit === 'bytes' ? format.size(count) : new Intl.NumberFormat(locale).format(count));
  const names: Readonly<Record<string, string>> = words.quotas;
  return (
    <Section title={words.usage} text={words.usageText}>
      {query.isPending && <Loading rows={4} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <table className={styles.usage}>
          <thead>
            <tr>
              <th scope="col">{words.of}</th>
              <th scope="col">{words.used}</th>
              <th scope="col">{words.limit}</th>
            </tr>
          </thead>
          <tbody>
            {query.data.quotas.map(({ name, description, used, limit, unit, period }) => (
              <tr key={name} data-near={used >= limit * nearShare || undefined}>
                <th scope="row">{names[name] ?? description}</th>
                <td>{amount(used, unit)}</td>
                <td>
                  {amount(limit, unit)}
                  {period !== undefined && <span className={styles.period}>{words.per[period]}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
