import { writeCity } from '../server/simulation/demo/city/cityFile.ts';
import { makeCity } from '../server/simulation/demo/city/makeCity.ts';

// Draws the city of the demonstration again, after a change of its plan or of its generator.
writeCity(makeCity());
