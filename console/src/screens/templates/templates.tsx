import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, countItems, page } from '../../api.ts';
import { List, pageRows } from '../../parts/list.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { useLibrary } from './template-data.ts';
import styles from './templates.module.css';
import { templateTexts } from './texts.ts';

/** The templates of documents: those of the team, and the library. */
export function Templates(): JSX.Element {
  const { templates: title } = useTexts(commonTexts);
  const words = useTexts(templateTexts);
  return (
    <Screen title={title}>
      <Section title={words.library} text={words.libraryText}>
        <Library />
      </Section>
      <Section title={words.teamTemplates}>
        <List
          label={words.teamTemplates}
          queryKey={['document_template', 'list']}
          read={(cursor) =>
            page(
              api.GET('/api/v1/document-templates/', {
                params: { query: { sort: '-updatedAt', limit: pageRows, cursor }, header: countItems },
              }),
            )
          }
          to={({ id }) => `/templates/${id}`}
          title={({ name }) => name}
          columns={[
            { header: words.name, cell: ({ name }) => name },
            { header: words.description, cell: ({ description }) => description ?? '', wide: true },
            { header: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} />, narrow: true },
          ]}
          empty={<p className="soft">{words.noneOfTeam}</p>}
        />
      </Section>
    </Screen>
  );
}

function Library(): JSX.Element {
  const words = useTexts(templateTexts);
  const query = useLibrary();
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <ul className={styles.library}>
      {query.data.map(({ slug, name, description, signers }) => (
        <li key={slug}>
          <Link to="/templates/library/$slug" params={{ slug }}>
            {name}
          </Link>
          <p className="soft">{description}</p>
          {signers.length > 0 && <p className={styles.signers}>{words.signers(signers.length)}</p>}
        </li>
      ))}
    </ul>
  );
}
