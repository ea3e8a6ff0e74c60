import type { Family } from './entry';
import { buttons } from './families/buttons';
import { charts } from './families/charts';
import { choices } from './families/choices';
import { fields } from './families/fields';
import { illustrations } from './families/illustrations';
import { layers } from './families/layers';
import { lists } from './families/lists';
import { marks } from './families/marks';
import { money } from './families/money';
import { passwords } from './families/passwords';
import { pictures } from './families/pictures';
import { skeletons } from './families/skeletons';
import { states } from './families/states';
import { surfaces } from './families/surfaces';

export const families: readonly Family[] = [
  { name: 'Buttons and links', entries: buttons },
  { name: 'Fields', entries: fields },
  { name: 'Choices', entries: choices },
  { name: 'Passwords', entries: passwords },
  { name: 'Pictures', entries: pictures },
  { name: 'Money', entries: money },
  { name: 'Marks', entries: marks },
  { name: 'Surfaces', entries: surfaces },
  { name: 'Lists', entries: lists },
  { name: 'Charts', entries: charts },
  { name: 'States of a page', entries: states },
  { name: 'Illustrations', entries: illustrations },
  { name: 'While loading', entries: skeletons },
  { name: 'Layers', entries: layers },
];
