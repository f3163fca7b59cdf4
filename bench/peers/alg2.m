% Algorithm 2 of the paper as written, in Octave: a full eigen-decomposition of
% the chosen block in every step, and of A at the start.
%
% usage: octave alg2.m D M K1 K2 ... with A read from stdin's file name in ALG2_FILE
args = argv();
d = str2double(args{1}); m = str2double(args{2});
f = fopen(getenv("ALG2_FILE"), "r"); fseek(f, 128); a = fread(f, [d d], "double"); fclose(f);
for i = 3:numel(args)
  k = str2double(args{i});
  tic;
  [u, l] = eig(a); [l, o] = sort(diag(l), "descend"); u = u(:, o(1:m));
  [~, o] = sort((u .^ 2) * l(1:m), "descend"); support = sort(o(1:k));
  steps = 0;
  while true
    [v, g] = eig(a(support, support)); [g, o] = sort(diag(g), "descend");
    v = v(:, o(1:m));
    z = a(:, support) * v;
    [~, o] = sort(sum((z * pinv(v' * z(support, :))) .* z, 2), "descend");
    chosen = sort(o(1:k)); steps += 1;
    if isequal(chosen, support) || steps == 20, break, end
    support = chosen;
  end
  printf("{\"k\": %d, \"seconds\": %.4f, \"steps\": %d}\n", k, toc, steps);
end
