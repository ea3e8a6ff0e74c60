/** A very long text, with a word that is wider than any phone. */
export const long =
  'Rechtsschutzversicherungsgesellschaften und Donaudampfschifffahrtsgesellschaftskapitäne im Überblick';

const drawing =
  "<svg xmlns='http://www.w3.org/2000/svg' width='320' height='320'><rect width='320' height='320' fill='teal'/><circle cx='160' cy='130' r='70' fill='wheat'/></svg>";

export const picture = `data:image/svg+xml,${encodeURIComponent(drawing)}`;

export const nothing = () => {};
