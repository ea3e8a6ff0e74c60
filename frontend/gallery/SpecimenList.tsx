import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import type { Entry } from './entry';
import { families } from './families';
import { focused } from './rules';
import styles from './SpecimenList.module.css';

/** Every component in every state, or only the state in the address. */
export function SpecimenList({ search }: { search: string }) {
  const only = new URLSearchParams(search).get('only');
  const Only = only && stateAt(only);
  if (Only) return <Only />;
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">Specimens</h1>
      {families.map(({ name, entries }) => (
        <section key={name} className={styles.family}>
          <h2>{name}</h2>
          {entries.map((entry) => (
            <Component key={entry.component} entry={entry} search={search} />
          ))}
        </section>
      ))}
    </main>
  );
}

function stateAt(address: string): ComponentType | undefined {
  const [component, state = ''] = address.split('/');
  const entries = families.flatMap((family) => family.entries);
  return entries.find((entry) => entry.component === component)?.states[state];
}

function Component({ entry, search }: { entry: Entry; search: string }) {
  const { component, states, covers = false } = entry;
  return (
    <article className={styles.component} id={component}>
      <h3>{component}</h3>
      {Object.entries(states).map(([state, State]) => (
        <figure key={state} className={styles.state}>
          <figcaption className={styles.name}>{state}</figcaption>
          {covers ? (
            <Frame address={`${component}/${state}`} search={search} />
          ) : (
            <Marked focus={state.startsWith('focused')}>
              <State />
            </Marked>
          )}
        </figure>
      ))}
    </article>
  );
}

function Frame({ address, search }: { address: string; search: string }) {
  const query = new URLSearchParams(search);
  query.set('only', address);
  const src = `specimens.html?${query}`;
  return <iframe className={styles.frame} title={address} src={src} loading="lazy" />;
}

/** With `focus`, the first focusable element looks focused. */
function Marked({ focus, children }: { focus: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!focus) return;
    const first = box.current?.querySelector('a, button, input, select, textarea, [tabindex]');
    first?.setAttribute(focused, '');
  }, [focus]);
  return <div ref={box}>{children}</div>;
}
