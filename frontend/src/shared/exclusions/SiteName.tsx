import { Fragment } from 'react';

/** A site's domain or an app's name, which may go on in the next line after each dot. */
export function SiteName({ name }: { name: string }) {
  let begun = '';
  const parts = name.split('.').map((part) => {
    const isFirst = begun === '';
    begun += `${part}.`;
    return (
      <Fragment key={begun}>
        {!isFirst && (
          <>
            .<wbr />
          </>
        )}
        {part}
      </Fragment>
    );
  });
  return <span className="verbatim">{parts}</span>;
}
